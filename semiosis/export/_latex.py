"""Tables and figures in LaTeX that compiles with pdfLaTeX and the packages booktabs and graphicx."""

import re
from collections.abc import Iterator, Mapping, Sequence

from semiosis.files import escape_latex, one_line
from semiosis.report import Table

_LINE = 92
"""Characters of \\footnotesize that fit on a line of the document."""
_CELL = 28
"""A longer cell is wrapped."""
_PAGE = 40
"""Lines of one table, so that it fits on a page with its caption."""
_WORD = re.compile(r"\S{13,}")
_COMMANDS = {"⟨": r"\ensuremath{\langle}", "⟩": r"\ensuremath{\rangle}", "≤": r"\ensuremath{\le}"}
_COMMANDS |= {"≥": r"\ensuremath{\ge}", "≈": r"\ensuremath{\approx}", "½": "1/2"}
_T1 = set("“”‘’–—…•€™ĄąĆćĘęŁłŃńŚśŹźŻżČčŠšŽžŘřĚěŮůŐőŰűĞğİışŞŒœŸ") | {chr(n) for n in range(0xC0, 0x100)}

DOCUMENT = r"""% Compile with: pdflatex evidence.tex
% Each table and figure is a file of its own. Include it in a paper with \input; load booktabs and graphicx.
\documentclass[a4paper]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{booktabs}
\usepackage{graphicx}
\setlength{\textwidth}{160mm}
\setlength{\oddsidemargin}{0mm}
\setlength{\textheight}{230mm}
\setlength{\topmargin}{-10mm}
\graphicspath{{../figures/}}
\sloppy
\emergencystretch=3em
@LETTERS@\begin{document}
@BODY@
\end{document}
"""


def latex_files(tables: Mapping[str, Table], captions: Mapping[str, str]) -> dict[str, str]:
    """Return a document and one file for each table and figure, by file name."""
    files = {f"table-{name}.tex": latex_table(table, name) for name, table in tables.items()}
    files |= {f"figure-{name}.tex": latex_figure(name, caption) for name, caption in captions.items()}
    body = "\n".join(rf"\input{{{name.removesuffix('.tex')}}}" + "\n\\clearpage" for name in files)
    letters = "".join(_declared(letter) for letter in sorted(_unknown("".join(files.values()))))
    return files | {"evidence.tex": DOCUMENT.replace("@LETTERS@", letters).replace("@BODY@", body)}


def _unknown(text: str) -> set[str]:
    return {letter for letter in text if letter > "~" and letter not in _T1}


def _declared(letter: str) -> str:
    """Return the definition of a letter that pdfLaTeX lacks. Other engines have it in their fonts."""
    shown = _COMMANDS.get(letter, rf"\texttt{{[U+{ord(letter):04X}]}}")
    command = rf"\DeclareUnicodeCharacter{{{ord(letter):04X}}}{{{shown}}}"
    return f"\\ifdefined\\DeclareUnicodeCharacter{command}\\fi%\n"


def latex_figure(name: str, caption: str) -> str:
    """Return a figure environment for a PDF file in `figures/`."""
    return (
        "\\begin{figure}\n\\centering\n"
        rf"\includegraphics[width=\linewidth,height=0.8\textheight,keepaspectratio]{{{name}.pdf}}"
        f"\n\\caption{{{_text(caption)}}}\n\\label{{fig:{name}}}\n\\end{{figure}}\n"
    )


def latex_table(table: Table, name: str) -> str:
    """Return a table with booktabs rules. A wide or long table is divided into parts that fit on a page."""
    cells = [[one_line(shown) for shown in row] for row in table.cells()]
    widths = [
        min(_CELL, max([len(head), *(len(row[i]) for row in cells)])) for i, head in enumerate(table.columns)
    ]
    parts = [
        _tabular(
            [table.columns[i] for i in columns], [[row[i] for i in columns] for row in rows], widths, columns
        )
        for columns in _column_parts(widths)
        for rows in _row_parts(cells, widths)
    ]
    caption = " ".join([f"{table.title}.", *table.remarks])
    return "\n".join(_float(part, caption, name, number, len(parts)) for number, part in enumerate(parts, 1))


def _float(tabular: str, caption: str, name: str, number: int, parts: int) -> str:
    shown = caption if number == 1 else caption.partition(". ")[0] + ", continued."
    of = f" Part {number} of {parts}." if parts > 1 else ""
    label = name if number == 1 else f"{name}-{number}"
    return (
        f"\\begin{{table}}\n\\centering\n\\caption{{{_text(shown + of)}}}\n\\label{{tab:{label}}}\n"
        f"\\footnotesize\n{tabular}\n\\end{{table}}\n"
    )


def _column_parts(widths: Sequence[int]) -> Iterator[list[int]]:
    """Yield columns that fit beside the first one."""
    part = [0]
    for column in range(1, len(widths)):
        if len(part) > 1 and sum(widths[i] + 3 for i in [*part, column]) > _LINE:
            yield part
            part = [0]
        part.append(column)
    yield part


def _row_parts(cells: Sequence[Sequence[str]], widths: Sequence[int]) -> Iterator[list[Sequence[str]]]:
    part: list[Sequence[str]] = []
    lines = 0
    for row in cells:
        tall = max(-(-len(cell) * 5 // (max(1, width) * 4)) for cell, width in zip(row, widths, strict=True))
        if part and lines + tall > _PAGE:
            yield part
            part, lines = [], 0
        part.append(row)
        lines += max(1, tall)
    yield part


def _tabular(
    head: Sequence[str], rows: Sequence[Sequence[str]], widths: Sequence[int], columns: Sequence[int]
) -> str:
    kinds = [_column_kind([row[n] for row in [head, *rows]], widths[i], n) for n, i in enumerate(columns)]
    lines = [" & ".join(map(_cell, row)) + r" \tabularnewline" for row in rows]
    top = " & ".join(map(_cell, head)) + r" \tabularnewline"
    return "\n".join(
        [
            rf"\begin{{tabular}}{{{''.join(kinds)}}}",
            r"\toprule",
            top,
            r"\midrule",
            *lines,
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )


def _column_kind(cells: Sequence[str], width: int, place: int) -> str:
    if max(map(len, cells)) > _CELL:
        return rf"p{{{width * 0.5:.1f}em}}"
    return "l" if place == 0 else "r"


def _cell(text: str) -> str:
    return r"\raggedright " + _text(text) if len(text) > _CELL else _text(text)


def _text(text: str) -> str:
    """Return escaped text in which long words can be broken."""
    words = re.split(r"(\s+)", one_line(text))
    return "".join(
        r"\allowbreak{}".join(escape_latex(word[i : i + 10]) for i in range(0, len(word), 10))
        if _WORD.fullmatch(word)
        else escape_latex(word) or word
        for word in words
    )
