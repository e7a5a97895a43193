"""Reads and writes files: records, images, hand-written readings, atomic writes, folders and escaping."""

from semiosis.files._escape import (
    cypher_string,
    escape_csv,
    escape_json,
    escape_latex,
    escape_markdown,
    file_stem,
    one_line,
    visible,
)
from semiosis.files._folders import cache_folder, data, has_scheme, new_folder, without_login
from semiosis.files._handwritten import (
    parse_yaml,
    read_hsg,
)
from semiosis.files._headings import MAX_DIGITS, heading_key, match_headings, shown_headings, whole_number
from semiosis.files._image import decode_image, decode_sign, image, image_bytes
from semiosis.files._neo4j_home import (
    NEO4J_PORT,
    local_password,
    neo4j_home,
    read_server_record,
    server_process_runs,
)
from semiosis.files._output_paths import (
    ListedDigests,
    listed_files,
    output_archive,
    output_file,
    output_folder,
)
from semiosis.files._read import (
    MAX_TOML_BYTES,
    is_file,
    parse_toml,
    read_bytes,
    read_lines,
    read_text,
    resolve_path,
)
from semiosis.files._record import (
    RecordLine,
    append_record,
    from_folder,
    record_files,
    record_path,
    remove_recorded,
    stream_record,
    torn_line,
)
from semiosis.files._study_file import (
    STUDY_FILE,
    StudyFile,
    create_study,
    read_study_file,
    write_study_file,
)
from semiosis.files._unfinished import HIDDEN_FOLDER
from semiosis.files._write import atomic_write, atomic_writer, write_error, write_zip
from semiosis.files._yaml import YamlNode, compose_yaml

__all__ = [
    "HIDDEN_FOLDER",
    "MAX_DIGITS",
    "MAX_TOML_BYTES",
    "NEO4J_PORT",
    "STUDY_FILE",
    "ListedDigests",
    "RecordLine",
    "StudyFile",
    "YamlNode",
    "append_record",
    "atomic_write",
    "atomic_writer",
    "cache_folder",
    "compose_yaml",
    "create_study",
    "cypher_string",
    "data",
    "decode_image",
    "decode_sign",
    "escape_csv",
    "escape_json",
    "escape_latex",
    "escape_markdown",
    "file_stem",
    "from_folder",
    "has_scheme",
    "heading_key",
    "image",
    "image_bytes",
    "is_file",
    "listed_files",
    "local_password",
    "match_headings",
    "neo4j_home",
    "new_folder",
    "one_line",
    "output_archive",
    "output_file",
    "output_folder",
    "parse_toml",
    "parse_yaml",
    "read_bytes",
    "read_hsg",
    "read_lines",
    "read_server_record",
    "read_study_file",
    "read_text",
    "record_files",
    "record_path",
    "remove_recorded",
    "resolve_path",
    "server_process_runs",
    "shown_headings",
    "stream_record",
    "torn_line",
    "visible",
    "whole_number",
    "without_login",
    "write_error",
    "write_study_file",
    "write_zip",
]
