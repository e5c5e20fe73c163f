// Leads on from an old address, with the anchor that the reader came with.
location.replace(document.links[0].href + location.hash)
