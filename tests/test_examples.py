"""Scripts of examples/, which are run and not imported."""

import gzip
import io
import subprocess
import sys
import tarfile
from pathlib import Path

import polib
from debian.arfile import ArFile

SCRIPT = Path(__file__).parents[1] / "examples/office_manual.py"
PAGE = """<html><body><h1 id="hd_id1">{}</h1><p id="par_id2">{}<br>{}<span class="switchinline">
<span class="MAC">Cmd</span><span id="default">Ctrl</span></span></p>
<p>{}</p><p id="par_{}">x</p>"""


def package(path: Path, files: dict[str, bytes]) -> None:
    """Write a package of Debian: an archive of `ar` that holds one of `tar`."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(f"./usr/{name}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    members = {"debian-binary": b"2.0\n", "control.tar.gz": b"", "data.tar.gz": data.getvalue()}
    with path.open("wb") as file:
        file.write(b"!<arch>\n")
        for name, content in members.items():
            packed = gzip.compress(content) if name.endswith("gz") else content
            file.write(f"{name:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(packed):<10}`\n".encode())
            file.write(packed + b"\n" * (len(packed) % 2))
    assert ArFile(str(path)).getnames() == list(members)


def test_pairs_of_an_office_manual(tmp_path):
    menus = polib.POFile()
    menus.append(polib.POEntry(msgctxt="a", msgid="~File", msgstr="檔案(~F)"))
    menus.append(polib.POEntry(msgid="a day", msgid_plural="%1 days", msgstr_plural={0: "%1 天"}))
    other = polib.POFile()
    other.append(polib.POEntry(msgid="_Brush", msgstr="筆刷(_B)"))
    pages = {
        "en-US": PAGE.format("Title", "Press", "now ", "no id", "only here"),
        "zh-TW": PAGE.format("標題", "現在", "按", "無", "elsewhere"),
    }
    for name, files in {
        "a.deb": {"lib/resource/zh_TW/LC_MESSAGES/sw.mo": menus.to_binary()},
        "b.deb": {"share/locale/zh_TW/LC_MESSAGES/tv-20.mo": other.to_binary()},
        **{
            f"{code}.deb": {f"share/libreoffice/help/{code}/text/a/b.html": page.encode()}
            for code, page in pages.items()
        },
    }.items():
        package(tmp_path / name, files)
    packages = sorted(tmp_path.glob("*.deb"))
    subprocess.run([sys.executable, SCRIPT, *packages, tmp_path / "raw.tsv"], check=True)
    assert (tmp_path / "raw.tsv").read_text("utf-8").splitlines() == [
        "Title\t標題",
        "Press now Ctrl\t現在 按 Ctrl",
        "~File\t檔案(~F)",
        "%1 days\t%1 天",
        "_Brush\t筆刷(_B)",
    ]
