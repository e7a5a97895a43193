"""Answers library queries a second time, in plain Python over the values and without a store."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from decimal import ROUND_HALF_UP, Decimal
from statistics import mean
from typing import Any

from semiosis.values import (
    HSG,
    MATCHED,
    Alignment,
    AnySign,
    Box,
    Fate,
    Match,
    Semiosis,
    Span,
    Unscored,
    outcomes,
)
from tests.store.made_up import MadeUp

Answer = Callable[[MadeUp], Iterator[dict[str, Any]]]


def four(number: float) -> float:
    """Return the number rounded to four digits, half away from zero as in Cypher, not half to even."""
    return float(Decimal(number).quantize(Decimal("0.0001"), ROUND_HALF_UP))


def blind(study: MadeUp) -> list[tuple[Alignment, AnySign, AnySign, HSG, HSG]]:
    """Every blind alignment with its prompt, its artifact, and the HSGs of both."""
    return [
        (
            alignment,
            study.signs[alignment.source.sign],
            study.signs[alignment.target.sign],
            study.hsgs[alignment.source.hsg],
            study.hsgs[alignment.target.hsg],
        )
        for alignment in study.alignments
        if alignment.condition == "blind" and alignment.source.sign != alignment.target.sign
    ]


def method(alignment: Alignment) -> str:
    """Everything that must agree before two alignments are pooled."""
    states_importance = any(brief.importance for brief in alignment.source.nodes.values())
    weighted = ", nodes weighted by importance" if states_importance else ""
    if alignment.evaluator is not None:
        return f"{alignment.method}, {alignment.evaluator.name}, prompt_version align/1{weighted}"
    return f"{alignment.method}, {alignment.embedder}, {alignment.weights}{weighted}"


def matched(alignment: Alignment, source: HSG, target: HSG) -> Iterator[tuple[Match, Semiosis, Semiosis]]:
    """The matches with both nodes."""
    for match in alignment.matches:
        yield match, source.semioses[match.source], target.semioses[match.target]


def nodes(study: MadeUp, *, blind_only: bool = True) -> Iterator[tuple[HSG, str, Semiosis]]:
    """Every node of the study's readings with its HSG. A consensus is not a reading."""
    for hsg in readings(study):
        if hsg.blind or not blind_only:
            yield from ((hsg, node, semiosis) for node, semiosis in hsg.semioses.items())


def readings(study: MadeUp) -> list[HSG]:
    """The HSGs that are readings; a consensus is not."""
    return [hsg for hsg in study.hsgs.values() if not hsg.reading.interpreter.merges]


def only_one_reader(study: MadeUp) -> Iterator[dict[str, Any]]:
    """Nodes of a consensus of several readings that one of them has."""
    for hsg in study.hsgs.values():
        for node, semiosis in hsg.semioses.items() if len(hsg.reading.given) > 1 and hsg.blind else ():
            if len(semiosis.sources) == 1:
                reader = study.hsgs[semiosis.sources[0].partition("/")[0]].reading.interpreter
                about = {"node": f"{hsg.id}/{node}", "source": semiosis.sources[0], "reader": reader.name}
                yield about | {"label": semiosis.label, "readers": 2, "share": 0.5}


def lost_intent(study: MadeUp) -> Iterator[dict[str, Any]]:
    """Of the prompt `annunciation`."""
    for alignment, prompt, artifact, source, _ in blind(study):
        if prompt.title == "annunciation":
            for node in alignment.lost:
                meant, who = source.semioses[node].object, source.reading.interpreter.name
                about = {"meant": meant, "artifact": artifact.title, "node": f"{source.id}/{node}"}
                yield about | {"reader": who, "aligned_by": alignment.aligned_by}


def realised_meaning(study: MadeUp) -> Iterator[dict[str, Any]]:
    """Of the prompt `annunciation`."""
    for alignment, prompt, artifact, source, target in blind(study):
        if prompt.title == "annunciation":
            for match, meant, seen in matched(alignment, source, target):
                found = {"meant": meant.object, "realised_as": seen.object, "p": match.p, "fate": match.fate}
                yield found | {"artifact": artifact.title, "alignment": alignment.id}


def emergent_meaning(study: MadeUp) -> Iterator[dict[str, Any]]:
    """Of the artifact `annunciation-lyric`."""
    for alignment, _, artifact, _, target in blind(study):
        if artifact.title == "annunciation-lyric":
            for node in alignment.emergent:
                yield {"added": target.semioses[node].object, "alignment": alignment.id}


def kept_and_lost(study: MadeUp) -> Iterator[dict[str, Any]]:
    """Kept in one alignment of an HSG, lost in another of the same HSG by the same method."""
    for kept, _, keeper, source, target in blind(study):
        for lost, _, loser, other, _ in blind(study):
            if other != source or keeper == loser or method(kept) != method(lost):
                continue
            for match, meant, seen in matched(kept, source, target):
                if match.source in lost.lost:
                    who = {"kept_by": keeper.title, "lost_by": loser.title}
                    yield who | {"meant": meant.object, "kept_as": seen.object, "p": match.p}


def symbolic_to_iconic(study: MadeUp) -> Iterator[dict[str, Any]]:
    """The leading ground is symbolic in the source and iconic in the target, both at least 0.5."""
    for alignment, _, artifact, source, target in blind(study):
        for match, meant, seen in matched(alignment, source, target):
            before, after = meant.grounds.strengths, seen.grounds.strengths
            leads = before[2] > max(before[:2]) and after[0] > max(after[1:])
            if leads and before[2] >= 0.5 and after[0] >= 0.5:
                yield {"symbolic": before[2], "iconic": after[0], "p": match.p, "artifact": artifact.title}


def ground_shifts(study: MadeUp) -> Iterator[dict[str, Any]]:
    """The 20 strongest: the mean of the three absolute changes."""
    found = []
    for alignment, _, _, source, target in blind(study):
        for match, meant, seen in matched(alignment, source, target):
            pairs = zip(meant.grounds.strengths, seen.grounds.strengths, strict=True)
            shift = mean(abs(after - before) for before, after in pairs)
            ends = f"{source.id}/{match.source}", f"{target.id}/{match.target}"
            found.append((-four(shift), *ends, alignment.id))
    for shift, one, other, alignment_id in sorted(found)[:20]:
        yield {"shift": -shift, "source": one, "target": other, "alignment": alignment_id}


def survival(study: MadeUp) -> Iterator[dict[str, Any]]:
    """Per node and method: in how many alignments it was matched, lost, or neither."""
    found: dict[tuple[str, str], list[Fate]] = defaultdict(list)
    for alignment, _, _, source, _ in blind(study):
        for fate in alignment.fates:
            found[f"{source.id}/{fate.node}", method(alignment)].append(fate.fate)
    for (node, how), each in found.items():
        matched, lost = sum(fate in MATCHED for fate in each), each.count("lost")
        yield {
            "node": node,
            "method": how,
            "matched": matched,
            "lost": lost,
            "changed": len(each) - matched - lost,
            "share": four(matched / len(each)),
        }


def changed_meaning(study: MadeUp) -> Iterator[dict[str, Any]]:
    """Resignified and reversed nodes."""
    for alignment in study.alignments:
        if alignment.condition != "blind":
            continue
        source, target = study.hsgs[alignment.source.hsg], study.hsgs[alignment.target.hsg]
        artifact = study.signs[alignment.target.sign]
        for fate in alignment.fates:
            if fate.fate in ("resignified", "reversed"):
                (seen,) = fate.targets
                found = {"fate": fate.fate, "meant": source.semioses[fate.node].object, "why": fate.why}
                stands_for = target.semioses[seen].object
                yield found | {"stands_for": stands_for, "p": fate.p, "artifact": artifact.title}


def chains(study: MadeUp) -> Iterator[dict[str, Any]]:
    """Nodes that take up an interpretant; no chain in the made-up study has more than one link."""
    for hsg, node, semiosis in nodes(study):
        if semiosis.takes_up is not None:
            before = hsg.semioses[semiosis.takes_up]
            about = {"node": f"{hsg.id}/{node}", "taken_up_from": before.label, "first_object": before.object}
            yield about | {"links": 1, "label": semiosis.label}


def merged_meaning(study: MadeUp) -> Iterator[dict[str, Any]]:
    """Merged nodes with each node that names the same target and is matched otherwise."""
    for alignment, _, artifact, source, target in blind(study):
        for fate in alignment.fates:
            for other in alignment.matches:
                if fate.fate == "merged" and other.target in fate.targets and other.fate != "merged":
                    found = {"meant": source.semioses[fate.node].object, "artifact": artifact.title}
                    together = source.semioses[other.source].object
                    seen = target.semioses[other.target].object
                    yield found | {"together_with": together, "seen_as": seen, "alignment": alignment.id}


def generators(study: MadeUp) -> Iterator[dict[str, Any]]:
    """The mean over prompts of the mean over a prompt's alignments."""
    shares: dict[tuple[str, str], dict[str, list[tuple[float, float]]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for alignment, prompt, artifact, source, _ in blind(study):
        matched = [fate for fate in alignment.fates if fate.fate in MATCHED]
        weighted = sum(fate.p or 0 for fate in matched) / len(source)
        share = len(matched) / len(source)
        shares[artifact.generator, method(alignment)][prompt.id].append((share, weighted))
    for (generator, how), prompts in shares.items():
        plain, weighted = (
            mean(mean(pair[at] for pair in each) for each in prompts.values()) for at in (0, 1)
        )
        found = {"generator": generator, "method": how, "prompts": len(prompts)}
        yield found | {"share": four(plain), "weighted_share": four(weighted)}


def distances(study: MadeUp) -> Iterator[dict[str, Any]]:
    """By generator, tradition and method."""
    found: dict[tuple[str, str, str], list[Alignment]] = defaultdict(list)
    for alignment, prompt, artifact, _, _ in blind(study):
        found[artifact.generator, prompt.tradition, method(alignment)].append(alignment)
    for (generator, tradition, how), each in found.items():
        far = [alignment.distance for alignment in each]
        mixed = sum(a.source.interpreter != a.target.interpreter for a in each)
        about = {"generator": generator, "tradition": tradition, "method": how, "mixed_interpreters": mixed}
        yield about | {
            "mean": four(mean(far)),
            "least": min(far),
            "most": max(far),
            "alignments": len(far),
        }


def blind_and_given(study: MadeUp) -> Iterator[dict[str, Any]]:
    """Per artifact and method that have both conditions."""
    found: dict[tuple[str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for alignment in study.alignments:
        if alignment.source.sign == alignment.target.sign:
            continue
        found[alignment.target.sign, method(alignment)][alignment.condition].append(alignment.distance)
    for (artifact, how), far in found.items():
        if len(far) == 2:
            one, other = mean(far["blind"]), mean(far["given"])
            about = {"artifact_id": artifact, "method": how, "nearer": four(one - other)}
            yield about | {"blind": four(one), "given": four(other)}


def never_aligned(study: MadeUp) -> Iterator[dict[str, Any]]:
    """Nodes of aligned HSGs that are in no match."""
    aligned: Counter[str] = Counter()
    met: set[str] = set()
    for alignment in (each for each in study.alignments if each.condition == "blind"):
        source, target = study.hsgs[alignment.source.hsg], study.hsgs[alignment.target.hsg]
        aligned.update((source.id, target.id))
        met.update(f"{source.id}/{match.source}" for match in alignment.matches)
        met.update(f"{target.id}/{match.target}" for match in alignment.matches)
    for hsg, node, semiosis in nodes(study):
        if aligned[hsg.id] and f"{hsg.id}/{node}" not in met:
            yield {"node": f"{hsg.id}/{node}", "label": semiosis.label, "alignments": aligned[hsg.id]}


def most_cited(study: MadeUp) -> Iterator[dict[str, Any]]:
    """The 20 nodes with most citations, then most verdicts."""
    cited = [(f"{c.hsg}/{c.node}", v.id, c.stance) for v in study.verdicts for c in v.citations]
    times = Counter(node for node, _, _ in cited)
    by = {node: len({verdict for other, verdict, _ in cited if other == node}) for node in times}
    for node in sorted(times, key=lambda node: (-times[node], -by[node], node))[:20]:
        stances = Counter(stance for other, _, stance in cited if other == node)
        found = {"citations": times[node], "verdicts": by[node], "node": node}
        yield found | {"for_a": stances["a"], "for_b": stances["b"], "neutral": stances["neutral"]}


def flipped_verdicts(study: MadeUp) -> Iterator[dict[str, Any]]:
    """Pairs of verdicts that `resolve` resolves to a flip."""
    for outcome in outcomes(study.verdicts):
        if outcome.winner == "flip":
            yield {"evaluator": outcome.evaluator.name, "comparison": outcome.comparison}


def disputed_comparisons(study: MadeUp) -> Iterator[dict[str, Any]]:
    """Comparisons with verdicts for a and verdicts for b."""
    for comparison in study.comparisons:
        said = [v.winner for v in study.verdicts if v.comparison == comparison.id]
        votes = Counter("unscored" if isinstance(winner, Unscored) else winner for winner in said)
        if votes["a"] and votes["b"]:
            found = {"comparison": comparison.id, "for_a": votes["a"], "for_b": votes["b"]}
            yield found | {"ties": votes["tie"], "unscored": votes["unscored"]}


def unlocated(study: MadeUp) -> Iterator[dict[str, Any]]:
    """In both conditions, because the condition is a column."""
    for hsg, node, semiosis in nodes(study, blind_only=False):
        if node in hsg.unlocated:
            condition = "blind" if hsg.blind else "given"
            yield {"node": f"{hsg.id}/{node}", "label": semiosis.label, "condition": condition}


def contrasts(study: MadeUp) -> Iterator[dict[str, Any]]:
    """An artifact belongs to the tradition of its prompt."""
    for hsg in readings(study):
        sign = study.signs[hsg.sign.id]
        origin = study.signs[sign.prompt] if sign.prompt else sign
        for relation in hsg.relations:
            if hsg.blind and relation.relation == "contrasts":
                ends = {"part_node": f"{hsg.id}/{relation.part}", "whole_node": f"{hsg.id}/{relation.whole}"}
                yield ends | {"tradition": origin.tradition, "how": relation.how}


def same_object(study: MadeUp) -> Iterator[dict[str, Any]]:
    """Objects that differ only in case are the same."""
    thoughts: dict[str, set[str]] = defaultdict(set)
    for _, _, semiosis in nodes(study):
        thoughts[semiosis.object.lower()].add(semiosis.interpretant.lower())
    for hsg, node, semiosis in nodes(study):
        meant = semiosis.object.lower()
        if len(thoughts[meant]) > 1:
            yield {"object": meant, "thoughts": len(thoughts[meant]), "node": f"{hsg.id}/{node}"}


def readers_disagree(study: MadeUp) -> Iterator[dict[str, Any]]:
    """Two blind readings of a sign by different interpreters."""
    for hsg, node, here in nodes(study):
        for other in readings(study):
            same_reader = other.reading.interpreter == hsg.reading.interpreter
            if other.sign.id != hsg.sign.id or same_reader or not other.blind:
                continue
            yield from _disagreements(study, hsg, node, here, other)


def _disagreements(
    study: MadeUp, hsg: HSG, node: str, here: Semiosis, other: HSG
) -> Iterator[dict[str, Any]]:
    counterparts = 0
    for name, there in other.semioses.items():
        fates = _stated_between(study, (hsg, node), (other, name))
        same_place = _same_place(here, there)
        # "lily: purity" and "lily: a bridal flower" at one place are another object, not the same node.
        same_label = there.label.lower() == here.label.lower() and not same_place
        named_alike = same_label or there.object.lower() == here.object.lower()
        shared = named_alike or bool(fates & {"kept", "weakened", "split", "merged"})
        together = same_place or bool(fates & {"resignified", "reversed"})
        counterparts += shared or together
        about = {"node": f"{hsg.id}/{node}", "other": f"{other.id}/{name}"}
        pairs = zip(here.grounds.strengths, there.grounds.strengths, strict=True)
        difference = four(mean(abs(one - two) for one, two in pairs))
        if hsg.id < other.id and together and not shared:
            yield about | {"disagreement": "other object", "difference": None}
        if hsg.id < other.id and shared and difference >= 0.2:
            yield about | {"disagreement": "other grounds", "difference": difference}
    if not counterparts:
        only = {"disagreement": "only one reader", "difference": None}
        yield {"node": f"{hsg.id}/{node}", "other": other.id} | only


def _stated_between(study: MadeUp, here: tuple[HSG, str], there: tuple[HSG, str]) -> set[str]:
    """Return the fates that alignments of two readings, in either direction, state for two nodes."""
    fates: set[str] = set()
    for (source, node), (target, seen) in ((here, there), (there, here)):
        for alignment in study.alignments:
            if (alignment.source.hsg, alignment.target.hsg) == (source.id, target.id):
                fates |= {fate.fate for fate in alignment.fates if fate.node == node and seen in fate.targets}
    return fates


def _same_place(one: Semiosis, two: Semiosis) -> bool:
    """Return whether two places overlap by at least half: two boxes, or two spans of the same part."""
    for a in one.places:
        for b in two.places:
            if isinstance(a, Box) and isinstance(b, Box) and a.part == b.part and a.overlap(b) >= 0.5:
                return True
            if isinstance(a, Span) and isinstance(b, Span) and a.part == b.part:
                shared = min(a.end, b.end) - max(a.start, b.start)
                if shared > 0 and shared / (len(a.quote) + len(b.quote) - shared) >= 0.5:
                    return True
    return False


def positions(study: MadeUp) -> Iterator[dict[str, Any]]:
    """Boxes of blind readings, by position."""
    symbolic: dict[str, list[float]] = defaultdict(list)
    for _, _, semiosis in nodes(study):
        for place in semiosis.places:
            if isinstance(place, Box):
                symbolic[place.position].append(semiosis.grounds.symbolic.strength)
    for position, each in symbolic.items():
        yield {"position": position, "places": len(each), "symbolic": four(mean(each))}


def companions(study: MadeUp) -> Iterator[dict[str, Any]]:
    """Of the word `lily`."""
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for hsg in readings(study):
        named = {s.label for s in hsg.semioses.values() if "lily" in s.label or "lily" in s.object}
        if hsg.blind and named:
            for label in {s.label for s in hsg.semioses.values()} - named:
                found[label].add((hsg.id, hsg.sign.id))
    for label, each in found.items():
        yield {"companion": label, "readings": len(each), "signs": len({sign for _, sign in each})}


ORACLES: dict[str, tuple[Answer, dict[str, str]]] = {
    "blind-and-given": (blind_and_given, {}),
    "chains": (chains, {}),
    "changed-meaning": (changed_meaning, {}),
    "companions": (companions, {"word": "Lily"}),
    "contrasts": (contrasts, {}),
    "disputed-comparisons": (disputed_comparisons, {}),
    "distances": (distances, {}),
    "emergent-meaning": (emergent_meaning, {"artifact": "annunciation-lyric"}),
    "flipped-verdicts": (flipped_verdicts, {}),
    "generators": (generators, {}),
    "ground-shifts": (ground_shifts, {}),
    "kept-and-lost": (kept_and_lost, {}),
    "lost-intent": (lost_intent, {"prompt": "annunciation"}),
    "merged-meaning": (merged_meaning, {}),
    "most-cited": (most_cited, {}),
    "never-aligned": (never_aligned, {}),
    "only-one-reader": (only_one_reader, {}),
    "positions": (positions, {}),
    "readers-disagree": (readers_disagree, {}),
    "realised-meaning": (realised_meaning, {"prompt": "annunciation"}),
    "same-object": (same_object, {}),
    "survival": (survival, {}),
    "symbolic-to-iconic": (symbolic_to_iconic, {}),
    "unlocated": (unlocated, {}),
}
"""The function that answers each query, and the parameters of the query."""
