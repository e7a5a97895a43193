"""The tables of reader agreement, for all signs together and sign by sign."""

from semiosis.align import AboveChance
from semiosis.study import GroupAgreement, ReaderAgreement, SignAgreement, SignValue
from semiosis.tables._table import Cell, Table
from semiosis.values import MODES, Unscored

MEASURE_MEANINGS = {
    "nodes": "share of both readings' nodes that match",
    "boxes": "overlap of the boxes of matched nodes, intersection over union",
    "spans": "overlap of the spans of matched nodes, characters in common over all",
    "relations": "share of matched nodes with the same relation to their whole",
    "wholes": "share of matched nodes whose wholes match too",
    "grounds": "Lin's concordance of the strengths of matched nodes",
}
"""The definition of each measure."""
_COLUMNS = ("measure", "observed", "by chance", "above chance", "signs", "items")
_ABOVE = "above chance is (observed − chance) / (1 − chance)"


def agreement_tables(agreement: ReaderAgreement, *, signs: bool = False) -> list[Table]:
    """Return a table for each group. With `signs`, a table with one row per sign follows each of them."""
    tables = []
    for group in agreement.groups:
        tables.append(_group_table(group, agreement))
        if signs:
            tables.append(_sign_table(group, agreement))
    return tables


def group_title(group: GroupAgreement) -> str:
    """Return the readers that are compared in a group, such as `Ines and Tomas`."""
    if group.scope == "repeats":
        readers = f"{len(group.readers)} {group.kinds}" if group.pooled else group.readers[0]
        return f"Repeats of {readers}"
    if group.pooled:
        return f"All pairs of {len(group.readers)} readers, {group.kinds}"
    return " and ".join(group.readers)


def _group_table(group: GroupAgreement, agreement: ReaderAgreement) -> Table:
    """Return the table of one group, with each measure as observed, by chance and above chance."""
    what = "Self-consistency" if group.scope == "repeats" else "Reader agreement"
    title = f"{what}, {agreement.condition} readings: {group_title(group)}"
    return Table(title, _COLUMNS, tuple(map(_cells, group.measures)), _notes(group, agreement))


def _cells(measure: AboveChance) -> tuple[Cell, ...]:
    observed = measure.observed
    return (
        f"{measure.name} (CCC)" if measure.name in MODES else measure.name.removeprefix("nodes "),
        observed,
        measure.chance.value,
        measure.corrected,
        f"{observed.n} of {observed.n + observed.n_unscored}",
        f"{measure.items} of {measure.items + measure.items_unscored}",
    )


def _notes(group: GroupAgreement, agreement: ReaderAgreement) -> tuple[str, ...]:
    over = "prompts, each with its artifacts" if agreement.unit == "prompt" else "signs"
    names = {measure.name for measure in group.measures}
    both_orders = ", each pair in both orders" if group.pooled or group.scope == "repeats" else ""
    procedure = f"{agreement.procedure}; {agreement.length_classes} pairs"
    matched = f"Nodes matched by {agreement.aligned_by} ({procedure})"
    chance = "By chance: agreement on different signs of the same medium that belong to different prompts"
    notes = [
        f"{matched}; {group.n_signs} signs, {group.n_pairs} pairs of readings.",
        f"{chance}, at most {agreement.crossed} for each pair of readings, seed {agreement.seed}; {_ABOVE}.",
        f"{agreement.level:.0%} intervals: Student's t over {over}.",
        *(f"{name}: {meaning}." for name, meaning in MEASURE_MEANINGS.items() if name in names),
        f"CCC: {MEASURE_MEANINGS['grounds']}{both_orders}.",
        "signs, items: those that can be compared; items are nodes, or pairs of matched nodes.",
    ]
    if any(" and " in depth for depth in group.depths):
        notes.append("The readers read at different levels of detail, so not all nodes can match.")
    if without := max(measure.observed.n - measure.corrected.n for measure in group.measures):
        notes.append(
            f"Signs without a value above chance, because no unrelated sign has their medium: {without}."
        )
    if agreement.n_single:
        notes.append(f"Signs left out because they have only one reading: {agreement.n_single}.")
    if agreement.n_refused:
        notes.append(
            f"Pairs left out because the aligner cannot compare their scripts: {agreement.n_refused}."
        )
    return (*notes, *agreement.notes)


def _sign_table(group: GroupAgreement, agreement: ReaderAgreement) -> Table:
    """Return a table with one row per sign: the nodes, observed and by chance, and every other measure."""
    names = [
        name for name in MEASURE_MEANINGS if any(_is_known(sign.values.get(name)) for sign in group.signs)
    ]
    above = tuple("above chance" if name == "nodes" else name for name in names)
    notes = (
        f"{_ABOVE.capitalize()}; boxes, spans, relations, wholes and grounds are above chance too.",
        "A dash means that nothing can be compared, or that agreement by chance is complete.",
        "Each value is based on few nodes.",
    )
    return Table(
        f"Sign by sign, {agreement.condition} readings: {group_title(group)}",
        ("sign", "nodes", "by chance", *above, "nodes read", "matched"),
        tuple(_sign_cells(sign, names) for sign in group.signs),
        notes,
    )


def _sign_cells(sign: SignAgreement, names: list[str]) -> tuple[Cell, ...]:
    nodes, matched = sign.values["nodes"], sign.values["grounds"].n
    chance = "–" if isinstance(nodes.chance, Unscored) else nodes.chance
    above = (_above_chance_cell(sign.values.get(name)) for name in names)
    return (sign.title, nodes.observed, chance, *above, nodes.n, matched)


def _is_known(value: SignValue | None) -> bool:
    return value is not None and not isinstance(value.corrected, Unscored)


def _above_chance_cell(value: SignValue | None) -> Cell:
    """Return a number, a dash if it is unknown, or an empty cell if the measure does not apply."""
    if value is None:
        return None
    return "–" if isinstance(value.corrected, Unscored) else value.corrected
