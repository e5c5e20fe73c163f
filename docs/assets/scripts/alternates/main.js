// Material asks for a sitemap beside each link[rel=alternate], and finds none but at the root: while
// it looks, the links are no exact match. With its space, rel means the same.

const links = document.querySelectorAll("link[rel=alternate]")

for (const link of links) link.rel = "alternate "
addEventListener("load", () => {
  for (const link of links) link.rel = "alternate"
})
