"""HSGs as W3C web annotations and as IIIF manifests.

Each node becomes an annotation, with its triad as the body and its places as the targets. A box is a media
fragment, and a span is a text position refined by a quote. A relation is a linking annotation with two
targets.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from semiosis.files import atomic_write, visible
from semiosis.values import (
    HSG,
    Box,
    DataError,
    ImageSign,
    Relation,
    Semiosis,
    Span,
    UsageError,
    parts_of,
)

Json = dict[str, Any]

CONTEXT: Json = {
    "oa": "http://www.w3.org/ns/oa#",
    "dcterms": "http://purl.org/dc/terms/",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "as": "http://www.w3.org/ns/activitystreams#",
    "sem": "urn:semiosis:",
    "id": "@id",
    "type": "@type",
    "Annotation": "oa:Annotation",
    "TextualBody": "oa:TextualBody",
    "SpecificResource": "oa:SpecificResource",
    "FragmentSelector": "oa:FragmentSelector",
    "TextPositionSelector": "oa:TextPositionSelector",
    "TextQuoteSelector": "oa:TextQuoteSelector",
    "AnnotationCollection": "as:OrderedCollection",
    "items": {"@id": "as:items", "@container": "@list"},
    "total": "as:totalItems",
    "motivation": {"@id": "oa:motivatedBy", "@type": "@vocab"},
    "describing": "oa:describing",
    "linking": "oa:linking",
    "body": "oa:hasBody",
    "target": "oa:hasTarget",
    "source": {"@id": "oa:hasSource", "@type": "@id"},
    "selector": "oa:hasSelector",
    "refinedBy": "oa:refinedBy",
    "start": "oa:start",
    "end": "oa:end",
    "exact": "oa:exact",
    "value": "rdf:value",
    "purpose": {"@id": "oa:hasPurpose", "@type": "@vocab"},
    "conformsTo": {"@id": "dcterms:conformsTo", "@type": "@id"},
    "creator": "dcterms:creator",
    "label": "sem:label",
    "sign": "sem:sign",
    "object": "sem:object",
    "dynamicObject": "sem:dynamicObject",
    "interpretant": "sem:interpretant",
    "iconic": "sem:iconic",
    "indexical": "sem:indexical",
    "symbolic": "sem:symbolic",
    "location": "sem:location",
    "importance": "sem:importance",
    "takesUp": {"@id": "sem:takesUp", "@type": "@id"},
    "relation": "sem:relation",
    "how": "sem:how",
    "hierarchy": "sem:hierarchy",
}
"""A JSON-LD context that defines every term used here, so that no processor needs a network."""

_MEDIA_FRAGMENTS = "http://www.w3.org/TR/media-frags/"


def web_annotations(hsgs: Iterable[HSG]) -> Json:
    """Return HSGs as one collection of web annotations."""
    items = [annotation for hsg in hsgs for annotation in _annotations(hsg)]
    return {"@context": CONTEXT, "type": "AnnotationCollection", "total": len(items), "items": items}


def export_webanno(hsgs: Iterable[HSG], file: Path) -> Path:
    """Write HSGs as web annotations in JSON-LD."""
    atomic_write(file, json.dumps(web_annotations(hsgs), ensure_ascii=False, indent=1) + "\n")
    return file


def _annotations(hsg: HSG) -> Iterator[Json]:
    for node, semiosis in hsg.semioses.items():
        yield {
            "id": _urn(hsg, node),
            "type": "Annotation",
            "motivation": "describing",
            "creator": visible(hsg.reading.interpreter.name),
            "body": {
                "type": "TextualBody",
                "purpose": "describing",
                **_body(semiosis),
                **_further(hsg, semiosis),
            },
            "target": [_target(hsg, place) for place in semiosis.places] or _sign_urn(hsg.sign.id),
        }
    for relation in hsg.relations:
        yield _link(hsg, relation)


def _further(hsg: HSG, semiosis: Semiosis) -> Json:
    """Return the optional fields of a node: its importance, and the node whose interpretant it takes up."""
    further: Json = {}
    if semiosis.importance is not None:
        further["importance"] = semiosis.importance
    if semiosis.takes_up is not None:
        further["takesUp"] = _urn(hsg, semiosis.takes_up)
    return further


def _body(semiosis: Semiosis) -> Json:
    triad = f"{semiosis.label}: {semiosis.sign} → {semiosis.object} → {semiosis.interpretant}"
    texts = {
        "label": semiosis.label,
        "sign": semiosis.sign,
        "object": semiosis.object,
        "dynamicObject": semiosis.dynamic_object,
        "interpretant": semiosis.interpretant,
        "location": semiosis.location,
    }
    grounds = dict(zip(("iconic", "indexical", "symbolic"), semiosis.grounds.strengths, strict=True))
    return {"value": visible(triad), **{key: visible(text) for key, text in texts.items() if text}, **grounds}


def _target(hsg: HSG, place: Span | Box) -> Json:
    part = parts_of(hsg.sign)[place.part]
    selector = _span_selector(place) if isinstance(place, Span) else _box_selector(place)
    return {"type": "SpecificResource", "source": _sign_urn(part.id), "selector": selector}


def _span_selector(span: Span) -> Json:
    quote = {"type": "TextQuoteSelector", "exact": visible(span.quote)}
    return {"type": "TextPositionSelector", "start": span.start, "end": span.end, "refinedBy": quote}


def _box_selector(box: Box) -> Json:
    x, y, width, height = (f"{100 * edge:.4g}" for edge in (box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0))
    value = f"xywh=percent:{x},{y},{width},{height}"
    return {"type": "FragmentSelector", "conformsTo": _MEDIA_FRAGMENTS, "value": value}


def _link(hsg: HSG, relation: Relation) -> Json:
    return {
        "id": _urn(hsg, f"{relation.part}-{relation.whole}"),
        "type": "Annotation",
        "motivation": "linking",
        "body": {
            "type": "TextualBody",
            "purpose": "linking",
            "value": visible(f"{relation.relation}: {relation.how}"),
            "relation": relation.relation,
            "how": visible(relation.how),
            "hierarchy": relation.hierarchy,
        },
        "target": [_urn(hsg, relation.part), _urn(hsg, relation.whole)],
    }


def _urn(hsg: HSG, node: str) -> str:
    return f"urn:semiosis:hsg:{hsg.id}:{node}"


def _sign_urn(sign: str) -> str:
    return f"urn:semiosis:sign:{sign}"


def export_iiif(hsgs: Iterable[HSG], file: Path, base: str) -> Path:
    """Write the HSGs of images as one IIIF Presentation 3 manifest with one canvas per image.

    `base` is the http(s) address under which the manifest and the images will be published, because IIIF ids
    are addresses.
    """
    if not base.startswith(("http://", "https://")):
        raise UsageError(
            "an IIIF manifest needs a web address for its ids", fix="add --base https://example.org/study"
        )
    by_image: dict[str, list[HSG]] = {}
    for hsg in hsgs:
        if isinstance(hsg.sign, ImageSign):
            by_image.setdefault(hsg.sign.id, []).append(hsg)
    if not by_image:
        raise DataError(
            "no image has a reading", where=str(file), fix="export a study with readings of images"
        )
    root = base.rstrip("/")
    manifest = {
        "@context": "http://iiif.io/api/presentation/3/context.json",
        "id": f"{root}/{file.name}",
        "type": "Manifest",
        "label": {"none": ["Semiosis"]},
        "items": [_canvas(root, readings) for readings in by_image.values()],
    }
    atomic_write(file, json.dumps(manifest, ensure_ascii=False, indent=1) + "\n")
    return file


def _canvas(root: str, hsgs: list[HSG]) -> Json:
    image = hsgs[0].sign
    assert isinstance(image, ImageSign)  # noqa: S101  # export_iiif selects images
    canvas = f"{root}/canvas/{image.id}"
    body = {
        "id": f"{root}/images/{image.sha256}",
        "type": "Image",
        "format": image.media_type,
        "width": image.width,
        "height": image.height,
    }
    painting = {
        "id": f"{canvas}/image",
        "type": "Annotation",
        "motivation": "painting",
        "body": body,
        "target": canvas,
    }
    return {
        "id": canvas,
        "type": "Canvas",
        "label": {"none": [visible(image.title or image.id)]},
        "width": image.width,
        "height": image.height,
        "items": [{"id": f"{canvas}/page", "type": "AnnotationPage", "items": [painting]}],
        "annotations": [_reading_page(canvas, hsg, image) for hsg in hsgs],
    }


def _reading_page(canvas: str, hsg: HSG, image: ImageSign) -> Json:
    page = f"{canvas}/reading/{hsg.id}"
    items = []
    for node, semiosis in hsg.semioses.items():
        boxes = [place for place in semiosis.places if isinstance(place, Box)]
        for number, target in enumerate([_pixels(canvas, box, image) for box in boxes] or [canvas]):
            items.append(
                {
                    "id": f"{page}/{node}/{number}",
                    "type": "Annotation",
                    "motivation": "commenting",
                    "body": {
                        "type": "TextualBody",
                        "format": "text/plain",
                        "value": _body(semiosis)["value"],
                    },
                    "target": target,
                }
            )
    label = {"none": [visible(hsg.reading.interpreter.name)]}
    return {"id": page, "type": "AnnotationPage", "label": label, "items": items}


def _pixels(canvas: str, box: Box, image: ImageSign) -> str:
    """Return the canvas with a media fragment in whole pixels, which IIIF viewers expect."""
    x0, y0 = round(box.x0 * image.width), round(box.y0 * image.height)
    x1, y1 = round(box.x1 * image.width), round(box.y1 * image.height)
    return f"{canvas}#xywh={x0},{y0},{max(1, x1 - x0)},{max(1, y1 - y0)}"
