"""All settings. Every setting that differs between installations is a PLAYGROUND_* variable (see .env.example)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF
from django.conf.locale import LANG_INFO
from django.core.exceptions import ImproperlyConfigured

from playground import STARTS_OTHERS
from playground.shell import places, plugins
from playground.shell.env import env_bool, env_database, env_int, env_list, env_path, env_storage, env_str, read_dotenv
from playground.shell.play.redis_server import private_redis_socket
from playground.shell.security.logs import logging_settings

FILES_DIR = places.FILES
IS_CLONE = places.IS_CLONE
read_dotenv(places.HOME / ".env")

DEBUG = env_bool("DEBUG", True)
NO_SECRET_KEY = (
    "PLAYGROUND_SECRET_KEY is not set, and PLAYGROUND_DEBUG is off: set PLAYGROUND_SECRET_KEY to a long random text, "  # noqa: S105 - a sentence
    "or PLAYGROUND_SECRET_KEY_FILE to a file that holds one"
)
INSECURE_KEY = "insecure-key-of-a-developer"  # `manage.py play` makes a private one
SECRET_KEY = env_str("SECRET_KEY", INSECURE_KEY).strip()
if not DEBUG and SECRET_KEY in {INSECURE_KEY, ""}:
    raise ImproperlyConfigured(NO_SECRET_KEY)
ALLOWED_HOSTS = env_list("ALLOWED_HOSTS", ["127.0.0.1", "localhost", "[::1]"])
# The address of this server for other machines, where pages open on this machine: http://192.0.2.7:8000.
ADDRESS = env_str("ADDRESS", "").rstrip("/")
TRUSTED_ORIGINS = env_list("TRUSTED_ORIGINS", [])
CSRF_TRUSTED_ORIGINS = TRUSTED_ORIGINS
SECURE_COOKIES = env_bool("SECURE_COOKIES", False)
# https is the proxy's work: the server believes its headers only where PROXIES names how many proxies stand before it.
PROXIES = env_int("PROXIES", 0, least=0)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if PROXIES else None
SECURE_SSL_REDIRECT = env_bool("SSL_REDIRECT", False)
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SECURE_HSTS_SECONDS = env_int("HSTS_SECONDS", 0, least=0)
SECURE_HSTS_INCLUDE_SUBDOMAINS = env_bool("HSTS_SUBDOMAINS", False)
SECURE_HSTS_PRELOAD = env_bool("HSTS_PRELOAD", False)

# Schedulers in the operator's own files, or installed ones by name: programs that all who reach this server can run.
PLUGINS = env_list("PLUGINS", [])
PLUGINS_FOR_OTHERS = env_bool("PLUGINS_FOR_OTHERS", False)
try:
    plugins.refuse_others(PLUGINS, ALLOWED_HOSTS, for_others=PLUGINS_FOR_OTHERS)
except plugins.PluginsForOthers as error:
    raise ImproperlyConfigured(str(error)) from None
plugins.tell_core(PLUGINS, places.HOME)

# Data: the server writes everything below one folder.
DATA_DIR = env_path("DATA_DIR", places.HOME / "var")
FIXTURES_DIR = FILES_DIR / "fixtures"
TRACE_DIR = env_path("TRACE_DIR", DATA_DIR / "traces")
WARM_KERNELS = env_bool("WARM_KERNELS", True)
DATABASES = {"default": env_database("DATABASE_URL", f"sqlite:///{DATA_DIR / 'playground.sqlite3'}")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # Immediate: a transaction that will write takes the lock at its start, where waiting for it is possible.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
else:
    DATABASES["default"]["CONN_MAX_AGE"] = 60
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True  # finds the database again after a restart
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# Recordings, snapshots, tables, uploads, traces, pictures: a folder of this machine, or an object store.
MEDIA_ROOT = DATA_DIR / "recordings"
KEEP_COPIES_BYTES = env_int("KEEP_COPIES_BYTES", 5_000_000_000)
STORAGES: dict[str, dict[str, Any]] = {
    "default": env_storage("STORAGE_URL"),
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}

# Redis: broker, frames, progress and notices. Without a URL, the private server of `manage.py play`.
REDIS_URL = env_str("REDIS_URL", "") or f"unix://{private_redis_socket(DATA_DIR)}"
_CELERY_REDIS_URL = REDIS_URL.replace("unix://", "redis+socket://", 1)
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "playground.storage.layer.Layer",
        "CONFIG": {
            # The layer waits 5 s for a message in one command; redis-py's own default would give up at the same moment.
            "hosts": [{"address": REDIS_URL, "socket_timeout": 20}],
            "prefix": "playground",
            "capacity": 200,
            "expiry": 30,
        },
    }
}

# Limits; the core has its own, these only lower them. Errors name the variable.
LIMIT_MACHINES = env_int("LIMIT_MACHINES", 50_000)
LIMIT_TASKS = env_int("LIMIT_TASKS", 2_000_000)
LIMIT_BODY_BYTES = env_int("LIMIT_BODY_BYTES", 4_000_000)
LIMIT_RUNS_AT_ONCE = env_int("LIMIT_RUNS_AT_ONCE", 4)
LIMIT_PAUSED_RUNS = env_int("LIMIT_PAUSED_RUNS", 8)
# What all viewers of one address share, whatever their cookies. A class counts by itself: one for each of its people if
# that is more. Experiments count their bytes; the disk keeps KEEP_FREE_BYTES free.
LIMIT_RUNS_PER_ADDRESS = env_int("LIMIT_RUNS_PER_ADDRESS", 16)
LIMIT_PAUSED_RUNS_PER_ADDRESS = env_int("LIMIT_PAUSED_RUNS_PER_ADDRESS", 32)
LIMIT_STUDIES_PER_ADDRESS = env_int("LIMIT_STUDIES_PER_ADDRESS", 8)
LIMIT_CHALLENGES_PER_ADDRESS = env_int("LIMIT_CHALLENGES_PER_ADDRESS", 20)
LIMIT_CLASSES_PER_ADDRESS = env_int("LIMIT_CLASSES_PER_ADDRESS", 20)
LIMIT_TRACES_PER_ADDRESS = env_int("LIMIT_TRACES_PER_ADDRESS", 40)
LIMIT_TRACE_BYTES_PER_ADDRESS = env_int("LIMIT_TRACE_BYTES_PER_ADDRESS", 2_000_000_000)
LIMIT_IMPORTS_PER_ADDRESS = env_int("LIMIT_IMPORTS_PER_ADDRESS", 4)
LIMIT_SEARCHES_PER_ADDRESS = env_int("LIMIT_SEARCHES_PER_ADDRESS", 4)
LIMIT_PREVIEWS_PER_ADDRESS = env_int("LIMIT_PREVIEWS_PER_ADDRESS", 300)
LIMIT_STORED_BYTES_PER_ADDRESS = env_int("LIMIT_STORED_BYTES_PER_ADDRESS", 200_000_000)
LIMIT_STORED_BYTES_PER_STUDENT = env_int("LIMIT_STORED_BYTES_PER_STUDENT", 2_000_000)
KEEP_FREE_BYTES = env_int("KEEP_FREE_BYTES", 500_000_000, least=0)
LIMIT_SHARED_PER_ADDRESS = env_int("LIMIT_SHARED_PER_ADDRESS", 1_000)
KEEP_NEW_SESSIONS_HOURS = env_int("KEEP_NEW_SESSIONS_HOURS", 48, least=1)
KEEP_EXPERIMENTS_DAYS = env_int("KEEP_EXPERIMENTS_DAYS", 30, least=1)
LIMIT_RUN_SECONDS = env_int("LIMIT_RUN_SECONDS", 600)
LIMIT_RUN_ATTEMPTS = env_int("LIMIT_RUN_ATTEMPTS", 3)
# Studies: runs of one, tasks of all its runs together, unfinished studies of one owner, days until deletion.
LIMIT_STUDY_RUNS = env_int("LIMIT_STUDY_RUNS", 1_000)
LIMIT_STUDY_TASKS = env_int("LIMIT_STUDY_TASKS", 100_000_000)
LIMIT_STUDIES = env_int("LIMIT_STUDIES", 4)
KEEP_STUDIES_DAYS = env_int("KEEP_STUDIES_DAYS", 90, least=1)
# Classes: people in one, questions of one, wrong codes from one address in a minute; hours after its last use until
# which its code works, and days until its deletion (of a homework: after its end); days for which a homework may last.
LIMIT_CLASS_PEOPLE = env_int("LIMIT_CLASS_PEOPLE", 1_000, least=1)
LIMIT_CLASS_QUESTIONS = env_int("LIMIT_CLASS_QUESTIONS", 100, least=1)
# A lesson's file: bytes, levels of nesting, keys and values. Another process reads it.
LIMIT_LESSON_BYTES = env_int("LIMIT_LESSON_BYTES", 400_000)
LIMIT_LESSON_DEPTH = env_int("LIMIT_LESSON_DEPTH", 32)
LIMIT_LESSON_ITEMS = env_int("LIMIT_LESSON_ITEMS", 20_000)
LIMIT_WRONG_CODES = env_int("LIMIT_WRONG_CODES", 30, least=1)
KEEP_CLASS_CODES_HOURS = env_int("KEEP_CLASS_CODES_HOURS", 24, least=1)
KEEP_CLASSES_DAYS = env_int("KEEP_CLASSES_DAYS", 30, least=1)
LIMIT_HOMEWORK_DAYS = env_int("LIMIT_HOMEWORK_DAYS", 120, least=1)
# The arena: entries in an hour of one person and of one address, seconds of one run, tasks of all runs of one entry,
# hidden seeds of a challenge, entries of a board, open challenges of one owner, days without news until its deletion.
LIMIT_ENTRIES_PER_HOUR = env_int("LIMIT_ENTRIES_PER_HOUR", 20)
LIMIT_ENTRIES_PER_ADDRESS = env_int("LIMIT_ENTRIES_PER_ADDRESS", 600)
LIMIT_ENTRY_RUN_SECONDS = env_int("LIMIT_ENTRY_RUN_SECONDS", 20)
LIMIT_ENTRY_TASKS = env_int("LIMIT_ENTRY_TASKS", 1_000_000)
LIMIT_ENTRY_SEEDS = env_int("LIMIT_ENTRY_SEEDS", 30)
LIMIT_BOARD_ENTRIES = env_int("LIMIT_BOARD_ENTRIES", 1_000)
LIMIT_CHALLENGES = env_int("LIMIT_CHALLENGES", 10)
KEEP_CHALLENGES_DAYS = env_int("KEEP_CHALLENGES_DAYS", 180, least=1)
# Previews (while a user drags a control): how often a viewer may ask, largest number of tasks, seconds.
LIMIT_PREVIEWS_PER_SECOND = env_int("LIMIT_PREVIEWS_PER_SECOND", 20)
LIMIT_PREVIEW_TASKS = env_int("LIMIT_PREVIEW_TASKS", 20_000)
LIMIT_PREVIEW_SECONDS = env_int("LIMIT_PREVIEW_SECONDS", 5)
# What a page may simulate by itself: tasks, machines, bytes of arrays in its memory, and in an exported page how many
# combinations of its settings' values.
LIMIT_PAGE_TASKS = env_int("LIMIT_PAGE_TASKS", 100_000)
LIMIT_PAGE_MACHINES = env_int("LIMIT_PAGE_MACHINES", 5_000)
LIMIT_PAGE_BYTES = env_int("LIMIT_PAGE_BYTES", 200_000_000)
LIMIT_PAGE_RUNS = env_int("LIMIT_PAGE_RUNS", 32)
# A policy of one's own: bytes, lines, characters of a line, levels of nesting, `param` lines, folds and steps.
LIMIT_POLICY_BYTES = env_int("LIMIT_POLICY_BYTES", 4_000)
LIMIT_POLICY_LINES = env_int("LIMIT_POLICY_LINES", 60)
LIMIT_POLICY_LINE_CHARACTERS = env_int("LIMIT_POLICY_LINE_CHARACTERS", 400)
LIMIT_POLICY_NESTING = env_int("LIMIT_POLICY_NESTING", 24)
LIMIT_POLICY_SETTINGS = env_int("LIMIT_POLICY_SETTINGS", 12)
LIMIT_POLICY_FOLDS = env_int("LIMIT_POLICY_FOLDS", 8)
LIMIT_POLICY_INSTRUCTIONS = env_int("LIMIT_POLICY_INSTRUCTIONS", 400)
# Uploaded traces: bytes as sent, bytes once unpacked, how many of one owner. Their rows count as LIMIT_TASKS.
LIMIT_UPLOAD_BYTES = env_int("LIMIT_UPLOAD_BYTES", 100_000_000)
LIMIT_TRACE_BYTES = env_int("LIMIT_TRACE_BYTES", 1_000_000_000)
LIMIT_TRACES = env_int("LIMIT_TRACES", 20)
# Clusters that people bring: bytes once unpacked (in YAML, which is slow to read, fewer), machines, pods or jobs, and
# for each object bytes, levels of nesting and labels. Their tasks count as LIMIT_TASKS, too.
LIMIT_CLUSTER_BYTES = env_int("LIMIT_CLUSTER_BYTES", 2_000_000_000)
LIMIT_CLUSTER_YAML_BYTES = env_int("LIMIT_CLUSTER_YAML_BYTES", 50_000_000)
LIMIT_CLUSTER_OBJECTS = env_int("LIMIT_CLUSTER_OBJECTS", 3_000_000)
LIMIT_CLUSTER_MACHINES = env_int("LIMIT_CLUSTER_MACHINES", 50_000)
LIMIT_CLUSTER_PODS = env_int("LIMIT_CLUSTER_PODS", 1_000_000)
LIMIT_CLUSTER_OBJECT_BYTES = env_int("LIMIT_CLUSTER_OBJECT_BYTES", 4_000_000)
LIMIT_CLUSTER_DEPTH = env_int("LIMIT_CLUSTER_DEPTH", 64)
LIMIT_CLUSTER_LABELS = env_int("LIMIT_CLUSTER_LABELS", 256)
# Hours until the server deletes uploads that nobody continues, and days for traces that no experiment names.
KEEP_UPLOADS_HOURS = env_int("KEEP_UPLOADS_HOURS", 24, least=1)
KEEP_TRACES_DAYS = env_int("KEEP_TRACES_DAYS", 30, least=1)
# Previews of drafts in the lab, with an immediate answer: bytes of a draft, and tasks of its sample.
LIMIT_DRAFT_BYTES = env_int("LIMIT_DRAFT_BYTES", 1_000_000)
LIMIT_DRAFT_TASKS = env_int("LIMIT_DRAFT_TASKS", 200_000)
# Requests to the API in a minute. Who drags a control all the time writes up to 500 times (experiment, run, cancel); a
# classroom behind one address is many viewers.
LIMIT_READS_PER_VIEWER = env_int("LIMIT_READS_PER_VIEWER", 2_400)
LIMIT_READS_PER_ADDRESS = env_int("LIMIT_READS_PER_ADDRESS", 60_000)
LIMIT_WRITES_PER_VIEWER = env_int("LIMIT_WRITES_PER_VIEWER", 1_200)
LIMIT_WRITES_PER_ADDRESS = env_int("LIMIT_WRITES_PER_ADDRESS", 12_000)
LIMIT_DRAFTS_PER_VIEWER = env_int("LIMIT_DRAFTS_PER_VIEWER", 1_200)
LIMIT_DRAFTS_PER_ADDRESS = env_int("LIMIT_DRAFTS_PER_ADDRESS", 12_000)
DATA_UPLOAD_MAX_MEMORY_SIZE = LIMIT_BODY_BYTES
# Recordings and task tables: bytes of all together, and days of each. Deletion begins with unshared runs.
KEEP_RECORDINGS_BYTES = env_int("KEEP_RECORDINGS_BYTES", 20_000_000_000)
KEEP_RECORDINGS_DAYS = env_int("KEEP_RECORDINGS_DAYS", 90)
# Built workloads that a worker process keeps for the next preview or run; instants of runs take twice as much.
KEEP_BUILDS_BYTES = env_int("KEEP_BUILDS_BYTES", 256_000_000)
# Known results (shipped, or from an earlier run here) answer equal experiments.
KNOWN_RUNS = env_bool("KNOWN_RUNS", True)
# How often the worker of a run saves it, so that another one can continue it; 0 turns this off.
CHECKPOINT_SECONDS = env_int("CHECKPOINT_SECONDS", 30, least=0)
KEEP_FRAMES_SECONDS = env_int("KEEP_FRAMES_SECONDS", 600)
LEASE_SECONDS = env_int("LEASE_SECONDS", 5, least=2)

# Celery
WORKERS = env_int("WORKERS", 1)
WORKERS_MOST = env_int("WORKERS_MOST", 0, least=0)
CELERY_BROKER_URL = _CELERY_REDIS_URL
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_DEFAULT_QUEUE = "runs"
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
# A run looks at the clock itself between slices; this is for what gives no slices, such as compiling.
CELERY_TASK_SOFT_TIME_LIMIT = LIMIT_RUN_SECONDS + 5
CELERY_TASK_TIME_LIMIT = LIMIT_RUN_SECONDS + 30
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# Longer than any run: a dead worker's lease gives its messages back sooner (runs/recovery.py).
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 2 * LIMIT_RUN_SECONDS + 600,
    # By their names: a worker of both queues takes `runs`, which a user watches, before `studies`.
    "queue_order_strategy": "sorted",
}
CELERY_WORKER_HIJACK_ROOT_LOGGER = False

INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "channels",
    "playground.apps.PlaygroundConfig",
]
if not STARTS_OTHERS:
    INSTALLED_APPS.append("ninja")  # the API page's own files, instead of a third party's network
MIDDLEWARE = [
    "playground.shell.security.logs.request_context",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "playground.web.static_files.StaticFilesMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "playground.web.languages.LanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
METRICS = env_bool("METRICS", False)
if METRICS:
    INSTALLED_APPS.append("django_prometheus")
    MIDDLEWARE.insert(0, "django_prometheus.middleware.PrometheusBeforeMiddleware")
    MIDDLEWARE.append("django_prometheus.middleware.PrometheusAfterMiddleware")
    PROMETHEUS_EXPORT_MIGRATIONS = False
ROOT_URLCONF = "playground.urls"
ASGI_APPLICATION = "playground.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [FILES_DIR / "templates"],
        "APP_DIRS": False,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "playground.web.words.words",
            ],
            "libraries": {"modules": "playground.web.modules"},
            "builtins": ["playground.web.texts"],
        },
    }
]
APPEND_SLASH = False
X_FRAME_OPTIONS = "DENY"
# No inline script or style anywhere; drawings become pictures by way of data: URLs. Other sites may frame embed pages.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:", "blob:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_NAME = "playground_session"
SESSION_COOKIE_AGE = 365 * 24 * 3600
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = SECURE_COOKIES
CSRF_COOKIE_SECURE = SECURE_COOKIES
SESSION_ENGINE = "playground.web.session_store"

STATIC_URL = "/static/"
STATIC_ROOT = places.HOME / "staticfiles"
STATICFILES_DIRS = [FILES_DIR / "static", ("recordings", FIXTURES_DIR / "recordings")]
# ES modules import one another by relative names, so the server gives sources unhashed and straight from static/.
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_MAX_AGE = 0 if DEBUG else 60
# One script and one style file a page, where `make setup` built them (manage.py bundle). Their names hold a hash.
BUILT_PAGES = env_bool("BUILT_PAGES", True)
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/static/built/[\w-]+-\w{8,12}\.(js|css)$"

# The documentation's site. In a clone `make run` builds it where it is not of today's sources, once pages answer.
DOCS_DIR = FILES_DIR / "static" / "docs"
BUILD_DOCS = env_bool("BUILD_DOCS", True) and IS_CLONE

USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
LOCALE_PATHS = [Path(__file__).parent / "locale"]
# Every language that has a file of texts.
LANGUAGES = [(path.stem, LANG_INFO[path.stem]["name"]) for path in sorted(LOCALE_PATHS[0].glob("*.json"))]
USE_I18N = True

LOG_LEVEL = env_str("LOG_LEVEL", "WARNING")
LOG_JSON = env_bool("LOG_JSON", False)
LOGGING: dict[str, Any] = logging_settings(level=LOG_LEVEL, as_json=LOG_JSON)
