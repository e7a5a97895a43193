"""Files: record files, packaged data, image files, hand-written readings, atomic writes."""

from semiosis.files._data import (
    data,
)
from semiosis.files._handwritten import (
    parse_yaml,
    read_hsg,
    read_yaml,
)
from semiosis.files._image import (
    image,
    image_bytes,
)
from semiosis.files._local_neo4j import (
    NEO4J_PORT,
    local_password,
    neo4j_home,
    read_server_record,
    server_process_runs,
)
from semiosis.files._migrate import (
    migrate_file,
    migrate_line,
)
from semiosis.files._record import (
    FILES,
    HIDDEN,
    Line,
    append_record,
    from_folder,
    record_files,
    stream_record,
    torn_line,
    writer,
)
from semiosis.files._study_file import (
    STUDY_FILE,
    StudyFile,
    read_study_file,
    write_study_file,
)
from semiosis.files._write import (
    write_whole,
)

__all__ = [
    "FILES",
    "HIDDEN",
    "NEO4J_PORT",
    "STUDY_FILE",
    "Line",
    "StudyFile",
    "append_record",
    "data",
    "from_folder",
    "image",
    "image_bytes",
    "local_password",
    "migrate_file",
    "migrate_line",
    "neo4j_home",
    "parse_yaml",
    "read_hsg",
    "read_server_record",
    "read_study_file",
    "read_yaml",
    "record_files",
    "server_process_runs",
    "stream_record",
    "torn_line",
    "write_study_file",
    "write_whole",
    "writer",
]
