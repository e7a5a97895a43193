"""The LaTeX files of a bundle. They compile with pdfLaTeX and the packages booktabs and graphicx."""

from collections.abc import Mapping

from semiosis.tables import Table, latex_text, to_latex

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
\graphicspath{{../figures/}}
\sloppy
\emergencystretch=3em
@LETTERS@\begin{document}
@BODY@
\end{document}
"""


def latex_files(tables: Mapping[str, Table], captions: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of a document and of one file for each table and figure, by file name."""
    files = {f"table-{name}.tex": to_latex(table, name) for name, table in tables.items()}
    files |= {f"figure-{name}.tex": latex_figure(name, caption) for name, caption in captions.items()}
    body = "\n".join(rf"\input{{{name.removesuffix('.tex')}}}" + "\n\\clearpage" for name in files)
    letters = "".join(_declaration(letter) for letter in sorted(_unknown("".join(files.values()))))
    return files | {"evidence.tex": DOCUMENT.replace("@LETTERS@", letters).replace("@BODY@", body)}


def _unknown(text: str) -> set[str]:
    return {letter for letter in text if letter > "~" and letter not in _T1}


def _declaration(letter: str) -> str:
    """Return the definition of a letter that pdfLaTeX does not have. Other engines use a font."""
    shown = _COMMANDS.get(letter, rf"\texttt{{[U+{ord(letter):04X}]}}")
    command = rf"\DeclareUnicodeCharacter{{{ord(letter):04X}}}{{{shown}}}"
    return f"\\ifdefined\\DeclareUnicodeCharacter{command}\\fi%\n"


def latex_figure(name: str, caption: str) -> str:
    """Return a figure environment for a PDF file in `figures/`."""
    return (
        "\\begin{figure}\n\\centering\n"
        rf"\includegraphics[width=\linewidth,height=0.8\textheight,keepaspectratio]{{{name}.pdf}}"
        f"\n\\caption{{{latex_text(caption)}}}\n\\label{{fig:{name}}}\n\\end{{figure}}\n"
    )
