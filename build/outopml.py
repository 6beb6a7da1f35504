"""/opml.xml: the outlets' own feeds as a subscription list (OPML 2.0), so that readers need not go through us at all."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from xml.etree import ElementTree as ET

from build import filters
from build.pagekinds import Plain
from build.records import Outlet, Press, Source

PATH = "opml.xml"


def files(press: Press) -> Iterator[Plain]:
    """The list, a folder a university; what is closed, excluded or of an ended outlet is left out."""
    opml = ET.Element("opml", {"version": "2.0"})
    head = ET.SubElement(opml, "head")
    ET.SubElement(head, "title").text = f"{press.hub.name}: 매체들이 스스로 내는 피드"
    ET.SubElement(head, "docs").text = "http://opml.org/spec2.opml"
    body = ET.SubElement(opml, "body")
    for university, feeds in groupby(own_feeds(press), key=lambda one: one[0].university):
        folder = ET.SubElement(body, "outline", {"text": university or "대학 미상"})
        for outlet, source in feeds:
            facts = {"type": "rss", "text": outlet.name, "title": outlet.name, "xmlUrl": filters.uri(source.url)}
            if homepage := filters.uri(outlet.homepage):
                facts["htmlUrl"] = homepage
            ET.SubElement(folder, "outline", facts)
    ET.indent(opml, " ")
    yield Plain(PATH, ET.tostring(opml, encoding="utf-8", xml_declaration=True) + b"\n")


def own_feeds(press: Press) -> list[tuple[Outlet, Source]]:
    """Feeds that living outlets publish and we read, by university and name."""
    outlets = {outlet.slug: outlet for outlet in press.outlets if outlet.status == "active"}
    found = [
        (outlets[source.outlet], source)
        for source in press.sources
        if source.kind == "feed" and source.state == "active" and source.reason != "excluded"
        and source.outlet in outlets and filters.uri(source.url)
    ]  # fmt: skip
    return sorted(found, key=lambda one: (one[0].university, one[0].name, one[1].url))
