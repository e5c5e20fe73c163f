PYTHON ?= python3
BIN := .venv/bin
SITE := .venv/site-ready
READY := .venv/ready
BIOME := npx --yes @biomejs/biome@2.6.8
PYTEST := $(BIN)/python -m pytest -n auto --dist loadfile
# Every process would compile PyTorch anew where byte code may not be written.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help serve check test quick unchecked processors build zensical lint bench ablations outputs translations reviewed constraints lines clean

help: ## what there is to do
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

serve: $(SITE) ## both languages at http://127.0.0.1:8000/, rebuilt when a file changes
	$(BIN)/python -m mkdocs serve

check: $(READY) ## every static check of the pages; of one with PAGE=components/masks
	$(BIN)/python -m docs.checks $(PAGE)

test: $(READY) lint ## linter, types, every test, every snippet, the strict build
	$(PYTEST)
	$(MAKE) unchecked

quick: $(READY) ## most tests: without a browser, builds, the compiler or other processes
	$(PYTEST) -m "not (browser or build or compile or model or notebook or process)"

unchecked: $(READY) ## the package's own tests as users run it: without the checks of shapes
	$(PYTEST) -o addopts="--import-mode=importlib --strict-markers --doctest-modules" \
		transformer tests --ignore tests/docs --ignore tests/browser --ignore tests/test_shapes.py \
		-m "not (compile or process)" \
		--deselect tests/inference/test_shipped.py::test_keeps_its_floors # has no checks of shapes anyway

# What PyTorch's compiler keeps does not say for which instructions it was made: a folder for each.
# Workers of two threads have more threads than cores: one that waits must sleep, not spin.
processors: $(READY) ## the tests on each kind of vector instructions, with one thread and with two
	@failed=; for isa in default $$(grep -owm1 avx2 /proc/cpuinfo 2>/dev/null) $$(grep -owm1 avx512f /proc/cpuinfo 2>/dev/null); do \
		case $$isa in default) mkl=SSE4_2 dnn=SSE41;; avx2) mkl=AVX2 dnn=AVX2;; *) isa=avx512 mkl=AVX512 dnn=AVX512_CORE;; esac; \
		for threads in 1 2; do \
			echo "--- ATEN_CPU_CAPABILITY=$$isa, threads: $$threads"; \
			ATEN_CPU_CAPABILITY=$$isa MKL_ENABLE_INSTRUCTIONS=$$mkl ONEDNN_MAX_CPU_ISA=$$dnn TEST_THREADS=$$threads \
				TORCHINDUCTOR_CACHE_DIR=$(CURDIR)/.cache/compiled-$$isa OMP_WAIT_POLICY=passive \
				$(PYTEST) -m "not (browser or build)" || failed="$$failed $$isa-$$threads"; \
		done; \
	done; \
	test -z "$$failed" || { echo "failed on:$$failed"; exit 1; }

build: $(SITE) ## the whole site, strict, into site/
	$(BIN)/python -m mkdocs build --strict

zensical: $(READY) ## the same pages with Zensical, the successor of MkDocs and its theme, into .cache/zensical
	$(BIN)/python -m docs.builder en --with zensical --strict --site-dir .cache/zensical/site
	$(BIN)/python -m docs.builder zh-TW --with zensical --strict --site-dir .cache/zensical/site/zh-TW

lint: $(READY) ## ruff and mypy, and Biome for the scripts of the pages
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	@if command -v npx >/dev/null; then $(BIOME) ci; \
	else echo "The scripts of the pages are not checked: that needs npx, which comes with Node."; \
		test -z "$$CI"; fi

bench: $(READY) ## speed beside PyTorch's, Hugging Face's and CTranslate2's; reading of ids
	$(BIN)/python -m docs.checks.measured bench serving reading server

ablations: $(READY) ## the small model without each of its parts, three seeds each: hours, and it can be stopped
	$(BIN)/python -m docs.checks.measured without

outputs: $(READY) ## every printed output anew, and what a changed script would measure otherwise
	$(BIN)/python -m docs.checks.measured
	$(BIN)/python -m docs.checks.outputs

translations: $(READY) ## list what is to translate: sections of pages, texts of the catalogue
	$(BIN)/python -m docs.checks.catalogue
	$(BIN)/python -m docs.checks.freshness

reviewed: $(READY) ## record that the Chinese of PAGE="page.md#anchor …" says the same again
	$(BIN)/python -m docs.checks.freshness reviewed $(PAGE)

constraints: $(READY) ## the newest versions that pyproject admits into constraints.txt
	(head -1 constraints.txt; $(BIN)/uv pip compile pyproject.toml --all-extras --upgrade -q \
		--no-header --no-annotate --python-version 3.11) > constraints.new && mv constraints.new constraints.txt

lines: ## how many lines of documentation machinery, of tests, of JavaScript; and the budgets
	@count() { name=$$1 budget=$$2; shift 2; \
		echo "$$name: $$(git ls-files -- "$$@" | xargs cat | wc -l) lines, at most $$budget"; }; \
	count "docs/builder, docs/checks and docs/hook.py" 5000 "docs/builder/*.py" "docs/checks/*.py" docs/hook.py; \
	count tests 16000 "tests/*.py" conftest.py docs/conftest.py; \
	count JavaScript 3671 "docs/*.js"

clean: ## forget the environment, the caches and the built site
	rm -rf .venv .cache site

# Something says every four seconds that a long step is alive. Byte code is left to the first import:
# most of what is installed is never imported. What MkDocs imports is, before it starts.
alive = @(while sleep 4; do echo "  still installing"; done & beat=$$!; trap "kill $$beat" EXIT; $(1))
PIP := $(BIN)/python -m pip install --no-compile --disable-pip-version-check -c constraints.txt

# uv takes a fifth of pip's time. It does not read pip's settings: PyTorch comes with pip, and so does
# everything where uv cannot be had or finds nothing.
install = $(call alive,$(BIN)/uv pip install --python $(BIN)/python -c constraints.txt -e "$(1)" || $(PIP) -e "$(1)")

# For Linux, PyPI has PyTorch with gigabytes of CUDA. Without an NVIDIA card, and unless other indexes
# were asked for, it comes from PyTorch's own index, or else from where everything comes from.
CPU_INDEX := https://download.pytorch.org/whl/cpu
CPU_LINUX := [ "$$(uname -s)" = Linux ] && [ -z "$$PIP_INDEX_URL$$PIP_EXTRA_INDEX_URL" ] \
	&& [ ! -e /proc/driver/nvidia ] && ! command -v nvidia-smi >/dev/null

$(SITE): pyproject.toml constraints.txt
	@echo "Installing what the site needs into .venv, once"
	$(call alive,$(PYTHON) -m venv .venv)
	$(call alive,if $(CPU_LINUX); then \
		$(PIP) --no-deps --retries 0 --timeout 15 --index-url $(CPU_INDEX) torch || true; fi)
	$(call alive,$(PIP) torch uv || $(PIP) torch)
	$(call install,.[docs])
	$(call alive,$(BIN)/python -c "from mkdocs.config import load_config; load_config()")
	@touch $@

$(READY): $(SITE)
	@echo "Installing what the tests need into .venv, once"
	$(call install,.[dev])
	@touch $@
