"""The floors and the single doors of the house, read from the syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

FLOORS: dict[str, list[set[str]]] = {
    "crawl": [
        {"errors", "policy", "model", "clock"},
        {
            "urls", "hosts", "headers", "encoding", "articlepages", "dates", "daytime", "ago", "characters",
            "text", "feeds",
            "feedxml", "prose", "pagetree", "pagewishes", "pagepicture", "pagedates", "pagelines",
            "pagehead", "pagelibrary",
            "editions", "feedcopy",
            "feedtokens", "feednames", "feeditems", "feedjson", "watch", "opml", "rests", "pages", "decide",
            "connectto",
            "robots", "robotsbytes", "blocks", "registry", "registryrows", "registrycheck", "csvtable",
            "cells", "filetext",
            "listpages", "listrows", "listtext", "listlinks", "listdates", "listshapes", "listolder", "skins",
            "listentries", "listleaves", "listfacts",
            "members", "declined", "discover", "finding", "proposal", "tidy", "exclusions", "hub",
            "hubplace", "huboptions",
            "hubcolumns", "hubweb", "columns", "photos", "videos", "feedpictures", "importvideos", "shown",
            "spamwords", "diffrecords",
        },
        {"lane", "restbook", "robotsbook", "secondlooks", "gate"},
        {"transport", "dial", "inflate", "trouble", "tls", "workers", "addresses", "store", "shelf",
         "pagebook", "picturebook",
         "pressfile", "leaving", "ranges", "rolling", "probebook", "workdb", "takeback", "recall"},
        {"plan", "handle", "idle", "readers", "audit", "night"},
        {"diffsides", "diffrows", "difftables", "diffhistory", "gatechecks", "datadiff", "anomalies", "diffmarkdown",
         "diffhtml", "clidiff",
         "report", "clifiles", "cliedit", "cliexclude", "cliimport", "clinight", "cliopml", "cliprobe",
         "probe", "forecast",
         "status", "cli", "__main__"},
    ],
    "build": [
        {"part", "partbook", "index", "records"},
        {"rows", "pressfiles", "shelves", "wishes", "db", "filters", "words", "reasons", "dictionary",
         "normal", "searchbits", "searchcards", "searchindex", "searchlists", "searchprimer", "searchwords"},
        {"about", "comforts", "csvfiles", "currents", "datapage", "directory", "feedatom", "feedchannel", "feedjsonout",
         "feedpage", "feedpodcast", "nights", "outopml",
         "searchcomplete", "searchpage", "searchsheets", "sharepicture", "sitemap", "status", "structured",
         "pagekinds", "pages", "policypage", "outfeeds", "botfile", "explore", "archive", "home", "landings", "media",
         "spans",
         "charts", "tagmap", "tagpages", "tagperiods", "tags", "titlewords", "trendpages", "trends"},
        {"render", "make", "spill", "folders", "ledger", "notes", "write"},
        {"site", "check", "serve", "progress", "cli", "__main__"},
    ],
}  # fmt: skip
"""Bottom floor first (design: a module imports only from its own floor, without rings, and from floors below)."""

MODULES = [path for package in FLOORS for path in sorted((ROOT / package).glob("*.py")) if path.stem != "__init__"]


def floor(package: str, module: str) -> int:
    return next(number for number, names in enumerate(FLOORS[package]) if module in names)


def imports(path: Path) -> Iterator[str]:
    """Every module a file imports, in full dotted form."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}:{node.lineno} imports relatively"
            yield from ([f"{node.module}.{alias.name}" for alias in node.names] + [node.module or ""])


def siblings(path: Path) -> set[str]:
    package = path.parent.name
    return {
        name.split(".")[1]
        for name in imports(path)
        if name.startswith(f"{package}.") and (path.parent / f"{name.split('.')[1]}.py").exists()
    }


def calls(path: Path) -> Iterator[str]:
    """Every called name as written, for example `time.sleep` or `Ticket`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: f"{path.parent.name}.{path.stem}")
def test_a_module_imports_nothing_from_a_floor_above(path: Path) -> None:
    package = path.parent.name
    own = floor(package, path.stem)
    above = {name for name in siblings(path) if floor(package, name) > own}
    assert above == set()


def test_no_two_modules_import_each_other_round() -> None:
    graph = {(path.parent.name, path.stem): {(path.parent.name, name) for name in siblings(path)} for path in MODULES}
    left = dict(graph)
    while left:
        free = [module for module, needs in left.items() if not needs & left.keys()]
        assert free, f"a ring of imports among {sorted(left)}"
        for module in free:
            del left[module]


def test_crawl_and_build_do_not_know_each_other() -> None:
    for path in MODULES:
        other = "build" if path.parent.name == "crawl" else "crawl"
        assert not [name for name in imports(path) if name.split(".")[0] == other], path


def test_only_the_gate_makes_a_ticket() -> None:
    makers = {path.stem for path in MODULES if any(call.split(".")[-1] == "Ticket" for call in calls(path))}
    assert makers == {"gate"}


def test_only_transport_and_its_rooms_touch_the_network() -> None:
    network = {"socket", "ssl", "requests", "urllib3", "http", "urllib"}
    allowed = {"transport", "dial", "trouble", "inflate", "tls"}
    for path in MODULES:
        if path.parent.name != "crawl" or path.stem in allowed:
            continue
        found = {name for name in imports(path) if name.split(".")[0] in network}
        found = {name for name in found if not name.startswith("urllib.parse") and name != "urllib"}
        assert found - {"urllib3.util", "urllib3.util.Retry", "urllib3.exceptions"} <= {
            name for name in found if path.stem == "headers"
        }, path


def test_only_workers_wait_and_only_the_clock_reads_time() -> None:
    for path in MODULES:
        for call in calls(path):
            assert call not in {"time.sleep", "sleep"}, path
            if call.startswith(("time.", "datetime.now", "datetime.utcnow", "date.today", "datetime.today")):
                assert (path.parent.name, path.stem) == ("crawl", "clock"), f"{path} calls {call}"


def test_nothing_fetches_but_transport_send() -> None:
    for path in MODULES:
        assert not any(call in {"feedparser.parse"} and "url" in call for call in calls(path))
        for call in calls(path):
            assert call not in {"requests.get", "requests.request", "urlopen", "urllib.request.urlopen"}, path


def test_only_the_store_writes_sql() -> None:
    writers = {"store", "pagebook", "takeback", "picturebook", "probebook", "workdb", "pressfile", "leaving", "rolling",
               "schema", "state"}  # fmt: skip
    for path in MODULES:
        if path.parent.name != "crawl" or path.stem in writers:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                words = node.value.upper()
                assert not any(f"{verb} " in words for verb in ("INSERT INTO", "DELETE FROM", "REPLACE INTO")), path


def test_build_reads_only_from_site_views() -> None:
    for path in (ROOT / "build").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and "SELECT" in node.value.upper().split()
            ):
                for word in ("articles", "outlets", "sources", "nights", "policy", "checks", "tombstones"):
                    assert f" FROM {word}" not in node.value or path.stem == "db", f"{path.name} reads {word} directly"
