"""A site that does not build is reported once, and not built again by every worker."""

from pathlib import Path

import pytest

from tests import built_site
from tests.built_site import Built, SiteDoesNotBuildError, built_once, summary

LOG = "INFO    -  Cleaning\nWARNING -  en/a.md: no directive\n\nAborted with 1 warnings"


def test_a_failed_build_is_not_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    builds = []

    def fail(builder: str, site: Path) -> Built:
        builds.append(site)
        raise SiteDoesNotBuildError(LOG)

    monkeypatch.setattr(built_site, "build", fail)
    for _ in range(2):
        with pytest.raises(SiteDoesNotBuildError, match="no directive"):
            built_once(tmp_path, "mkdocs")
    assert len(builds) == 1


def test_it_is_reported_once(tmp_path: Path) -> None:
    error = SiteDoesNotBuildError(LOG, tmp_path / "reported")
    for outcome, words in (
        (pytest.fail.Exception, r"(?s)does not build:.*en/a\.md"),
        (pytest.skip.Exception, "one failure says why"),
    ):
        setup = built_site.pytest_runtest_setup(None)  # type: ignore[arg-type]
        next(setup)
        with pytest.raises(outcome, match=words):
            setup.throw(error)  # type: ignore[attr-defined]


def test_a_summary_is_what_went_wrong() -> None:
    assert summary(LOG).splitlines() == ["WARNING -  en/a.md: no directive", LOG.splitlines()[-1]]
