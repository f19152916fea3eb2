"""Every lesson in JupyterLab in Chromium: Run All reaches the end, and nothing is fetched from outside."""

import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from bpe_lessons.corpus import ROOT

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
SECONDS = 240
LOCAL = ("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:")
READY = """() => { const notebook = window.jupyterapp?.shell.currentWidget;
    return notebook?.sessionContext?.isReady
        && notebook.sessionContext.session?.kernel?.connectionStatus === 'connected'; }"""
RUN_ALL = """async () => { const notebook = jupyterapp.shell.currentWidget;
    await notebook.context.ready;
    await notebook.sessionContext.session.kernel.info;
    await jupyterapp.commands.execute('notebook:run-all-cells'); }"""
OUTPUTS = """() => [...jupyterapp.shell.currentWidget.content.model.cells]
    .filter(cell => cell.type === 'code')
    .map(cell => [cell.executionCount, [...Array(cell.outputs.length).keys()]
        .map(i => cell.outputs.get(i).toJSON())
        .map(output => output.ename ? output.ename + ': ' + output.evalue : output.name || 'data')])"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """The address of a JupyterLab, up to the path of a notebook, and its token."""
    if not CHROMIUM:
        pytest.skip(f"no Chromium on this machine (none of {', '.join(NAMES)})")
    home = tmp_path_factory.mktemp("lab")
    shutil.copytree(ROOT / "notebooks", home / "notebooks")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    token = secrets.token_hex(16)
    folders = ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR")
    environment = os.environ | {f"JUPYTER_{name}": str(home / name) for name in folders}
    environment |= {f"JUPYTERLAB_{name}_DIR": str(home / name) for name in ("SETTINGS", "WORKSPACES")}
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--ServerApp.root_dir={home}"),
        *(f"--ServerApp.port={port}", "--ServerApp.ip=127.0.0.1", f"--IdentityProvider.token={token}"),
        *("--LabApp.expose_app_in_browser=True", "--LabApp.extension_manager=readonly"),
        *("--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"),
    ]
    with open(home / "log", "w") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        give_up = time.monotonic() + SECONDS
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/api?token={token}", timeout=2).close()
                break
            except OSError:
                assert server.poll() is None and time.monotonic() < give_up, (home / "log").read_text()
                time.sleep(0.2)
        yield f"http://127.0.0.1:{port}/lab/tree/notebooks", token
    finally:
        server.terminate()
        server.wait(20)


@pytest.fixture(scope="module")
def browser(lab):
    playwright = pytest.importorskip("playwright.sync_api")
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield chromium
        chromium.close()


@pytest.mark.parametrize("path", sorted(Path(ROOT / "notebooks").glob("[0-9]*.ipynb")), ids=lambda p: p.stem)
def test_run_all(lab, browser, path):
    address, token = lab
    page = browser.new_page()
    page.set_default_timeout(SECONDS * 1000)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(f"{address}/{path.name}?token={token}&reset")
    page.wait_for_function(READY)
    page.evaluate(RUN_ALL)
    page.wait_for_function(
        "() => jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'idle'"
    )
    cells = page.evaluate(OUTPUTS)
    page.evaluate("() => jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    page.close()
    assert cells and all(count for count, _ in cells), "a cell did not run"
    assert {kind for _, outputs in cells for kind in outputs} <= {"data", "stdout"}, cells
    assert [url for url in requests if not url.startswith(LOCAL)] == []
