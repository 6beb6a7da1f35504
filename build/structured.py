"""What pages tell search engines about themselves: JSON-LD in schema.org's words, a data block that runs nothing."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from build import filters
from build.datapage import CC0, DataPage
from build.home import Home
from build.pagekinds import MonthPage, OutletPage, Page
from build.records import Hub, Outlet


def told(page: Page, hub: Hub, base_url: str) -> str:
    """The page's data block, safe inside a <script> element; empty where there is nothing to say or no address to say it of.

    `base_url`: the site's whole address, ending in a slash.
    """
    if not base_url:
        return ""
    graph = _graph(page, hub, base_url)
    if not graph:
        return ""
    text = json.dumps({"@context": "https://schema.org", "@graph": graph}, ensure_ascii=False, separators=(",", ":"))
    # Inside <script> only these could end the block or begin another; in JSON they may stand as escapes.
    for sign, escape in (
        ("<", "\\u003c"),
        (">", "\\u003e"),
        ("&", "\\u0026"),
        ("\u2028", "\\u2028"),
        ("\u2029", "\\u2029"),
    ):
        text = text.replace(sign, escape)
    return text


def _graph(page: Page, hub: Hub, base_url: str) -> list[dict[str, Any]]:
    if isinstance(page, Home):
        return [_site(hub, base_url)]
    if isinstance(page, OutletPage):
        return [
            _outlet_page(page, base_url),
            _trail(base_url, ("매체", "outlets/"), (page.outlet.name, page.head.url_path)),
        ]
    if isinstance(page, MonthPage):
        outlet = (page.outlet.name, f"o/{page.outlet.slug}/")
        return [_trail(base_url, ("매체", "outlets/"), outlet, (page.label, page.head.url_path))]
    if isinstance(page, DataPage):
        return [_dataset(page, hub, base_url)]
    return []


def _site(hub: Hub, base_url: str) -> dict[str, Any]:
    site: dict[str, Any] = {
        "@type": "WebSite",
        "@id": f"{base_url}#site",
        "url": base_url,
        "name": hub.name,
        "alternateName": hub.name_en,
        "inLanguage": "ko",
    }
    if hub.tagline:
        site["description"] = hub.tagline
    if hub.operator:
        site["publisher"] = {"@type": "Organization", "name": hub.operator}
    return site


def _outlet_page(page: OutletPage, base_url: str) -> dict[str, Any]:
    """A page about an outlet that lists what it wrote. Of other lists nothing is told that their heads do not tell already."""
    head = page.head
    return {
        "@type": "CollectionPage",
        "url": base_url + quote(head.url_path),
        "name": head.title,
        "description": head.description,
        "inLanguage": head.lang,
        "isPartOf": {"@id": f"{base_url}#site"},
        "mainEntity": _outlet(page.outlet),
    }


def _outlet(outlet: Outlet) -> dict[str, Any]:
    """The outlet itself: no organisation of ours, so that nothing of it is claimed for this site."""
    facts: dict[str, Any] = {"@type": "NewsMediaOrganization", "name": outlet.name}
    if outlet.name_en and outlet.name_en != outlet.name:
        facts["alternateName"] = outlet.name_en
    if homepage := filters.uri(outlet.homepage):
        facts["url"] = homepage
    if outlet.university:
        facts["parentOrganization"] = {"@type": "CollegeOrUniversity", "name": outlet.university}
    if outlet.region:
        facts["areaServed"] = outlet.region
    return facts


def _trail(base_url: str, *steps: tuple[str, str]) -> dict[str, Any]:
    """The way to the page from the front page, as (name, path) of each step."""
    items = [
        {"@type": "ListItem", "position": place, "name": name, "item": base_url + quote(path)}
        for place, (name, path) in enumerate(steps, 1)
    ]
    return {"@type": "BreadcrumbList", "itemListElement": items}


def _dataset(page: DataPage, hub: Hub, base_url: str) -> dict[str, Any]:
    files = [(one.href, "application/vnd.sqlite3") for one in page.databases if one.href]
    files += [(f"data/{name}.csv", "text/csv") for name in page.tables]
    facts: dict[str, Any] = {
        "@type": "Dataset",
        "url": base_url + quote(page.head.url_path),
        "name": f"{hub.name} ({hub.name_en})",
        "description": page.head.description,
        "inLanguage": page.head.lang,
        "license": CC0,
        "isAccessibleForFree": True,
        "creator": {"@type": "Organization", "name": hub.operator or hub.name, "url": base_url},
        "distribution": [
            {
                "@type": "DataDownload",
                "contentUrl": href if filters.web(href) else base_url + href,
                "encodingFormat": media_type,
            }
            for href, media_type in files
        ],
    }
    if page.day:
        facts["dateModified"] = page.day
    return facts
