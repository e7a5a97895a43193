"""Take a screenshot of the sample in Neo4j Browser: python tools/picture_neo4j.py FILE.png

This needs a running Neo4j (`semiosis neo4j start`) with the demo (`semiosis store copy semiosis-demo
bolt://…`), the Python package playwright, and Chromium at the path in CHROMIUM or at /usr/bin/chromium.
"""

import os
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from playwright.sync_api import Page, sync_playwright

from semiosis.files import data
from semiosis.local_neo4j import find_server

QUERY = (
    "MATCH p = (:Sign {heading: 'The Annunciation, cubist'})-[:READ_AS]->(h:HSG)-[:HAS_ROOT|HAS_NODE]->(n) "
    "WHERE h.blind AND h.detail = 'standard' "
    "OPTIONAL MATCH q = (n)-[:REALIZED_AS]->(m)<-[:HAS_ROOT|HAS_NODE]-(:HSG)<-[:READ_AS]-(a:Sign) "
    "WHERE a.generator IN ['Lodestar (synthetic)', 'Lacuna (synthetic)'] "
    "OPTIONAL MATCH l = (n)<-[:LOST]-(:Alignment)-[:TO]->(:HSG)<-[:READ_AS]-(b:Sign) "
    "WHERE b.generator = 'Lacuna (synthetic)' RETURN p, q, l"
)


class CrossOriginHandler(SimpleHTTPRequestHandler):
    """Serves the style file to the page of Neo4j Browser, which has another origin."""

    def end_headers(self) -> None:
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Access-Control-Allow-Headers", "*")
        super().end_headers()

    def do_OPTIONS(self) -> None:
        self.send_response(200)
        self.end_headers()


def run(page: Page, command: str) -> None:
    """Run a command in the editor of Neo4j Browser."""
    page.locator(".monaco-editor").first.click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(command)
    page.keyboard.press("Control+Enter")


def main(target: str) -> None:
    """Log in, load the style, show one prompt with two of its artifacts, and save the screenshot."""
    server = find_server()
    if server is None or server.browser is None:
        raise SystemExit("no Neo4j with Browser is running: run semiosis neo4j start")
    style = ThreadingHTTPServer(("127.0.0.1", 0), partial(CrossOriginHandler, directory=str(data("graphs"))))
    Thread(target=style.serve_forever, daemon=True).start()
    with sync_playwright() as play:
        chromium = play.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"]
        )
        page = chromium.new_page(viewport={"width": 1500, "height": 1100})
        page.goto(server.browser)
        page.get_by_test_id("password").fill(server.password_file.read_text().strip())
        page.get_by_test_id("connect").click()
        page.get_by_text("You are connected as user").wait_for(timeout=60_000)
        run(page, f":style http://localhost:{style.server_port}/style.grass")
        page.wait_for_timeout(5_000)
        run(page, ":clear")
        run(page, QUERY)
        page.locator("svg circle").first.wait_for(timeout=120_000)
        page.locator("[title='Fullscreen']").last.click()
        page.wait_for_timeout(15_000)
        page.screenshot(path=target)
        chromium.close()


if __name__ == "__main__":
    Path(sys.argv[1]).parent.mkdir(parents=True, exist_ok=True)
    main(sys.argv[1])
