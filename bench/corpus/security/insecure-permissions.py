# === vulnerable: os.chmod 0o777
import os


def install(path):
    os.chmod(path, 0o777)

# === vulnerable: os.chmod world writable data file
import os

DB = "/var/lib/shop/shop.db"


def prepare():
    open(DB, "a").close()
    os.chmod(DB, 0o666)

# === vulnerable: pathlib chmod
from pathlib import Path


def publish(name):
    target = Path("/srv/scripts") / name
    target.chmod(0o777)
    return target

# === vulnerable: stat constants with others' write bit
import os
import stat


def share(path):
    os.chmod(path, stat.S_IRWXU | stat.S_IRWXG | stat.S_IRWXO)

# === vulnerable: umask zero
import os
import sys


def daemonize():
    if os.fork() > 0:
        sys.exit(0)
    os.setsid()
    os.umask(0)

# === vulnerable: mode through a variable
import os

UPLOAD_MODE = 0o777


def store(path, data):
    with open(path, "wb") as fh:
        fh.write(data)
    mode = UPLOAD_MODE
    os.chmod(path, mode)

# === vulnerable: os.fchmod on a descriptor
import os


def write_secret(path, secret):
    fd = os.open(path, os.O_CREAT | os.O_WRONLY)
    os.fchmod(fd, 0o666)
    os.write(fd, secret)
    os.close(fd)

# === vulnerable: chmod command in subprocess list
import subprocess


def fix_permissions(directory):
    subprocess.run(["chmod", "-R", "777", directory], check=True)

# === vulnerable: chmod command with symbolic mode
import subprocess

CONFIG = "/etc/myapp/config.ini"
subprocess.check_call(f"chmod a+rwx {CONFIG}", shell=True)

# === vulnerable: adding S_IWOTH to the present mode
import os
import stat


def open_up(path):
    current = os.stat(path).st_mode
    os.chmod(path, current | stat.S_IWOTH)

# === vulnerable: makedirs followed by chmod in a class
import os as system


class SpoolDirectory:
    def __init__(self, path):
        self.path = path

    def create(self):
        system.makedirs(self.path, exist_ok=True)
        system.chmod(self.path, mode=0o777)

# === vulnerable: django upload permissions
from pathlib import Path

BASE_DIR = Path(__file__).resolve().parent
MEDIA_ROOT = BASE_DIR / "media"
FILE_UPLOAD_PERMISSIONS = 0o777
FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o777

# === vulnerable: paramiko sftp chmod
import os
import paramiko


def deploy(host):
    client = paramiko.SSHClient()
    client.load_system_host_keys()
    client.connect(host, username="deploy", key_filename=os.environ["SSH_KEY"])
    sftp = client.open_sftp()
    sftp.put("site.cfg", "/etc/site.cfg")
    sftp.chmod("/etc/site.cfg", 0o777)

# === safe: private key file 0o600
import os


def install(path):
    os.chmod(path, 0o600)

# === safe: executable for its owner
from pathlib import Path


def publish(name):
    target = Path("/srv/scripts") / name
    target.chmod(0o700)
    return target

# === safe: stat constants for the owner only
import os
import stat


def protect(path):
    os.chmod(path, stat.S_IRUSR | stat.S_IWUSR)

# === safe: restrictive umask
import os
import sys


def daemonize():
    if os.fork() > 0:
        sys.exit(0)
    os.setsid()
    os.umask(0o077)

# === safe: os.open with private mode
import os


def write_secret(path, secret):
    fd = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600)
    with os.fdopen(fd, "wb") as fh:
        fh.write(secret)

# === safe: chmod command for the owner
import subprocess


def fix_permissions(directory):
    subprocess.run(["chmod", "-R", "u=rwX,go=", directory], check=True)

# === safe: removing the others' bits
import os
import stat


def close_down(path):
    current = os.stat(path).st_mode
    os.chmod(path, current & ~(stat.S_IRWXG | stat.S_IRWXO))

# === safe: private directory
import os


class SpoolDirectory:
    def __init__(self, path):
        self.path = path

    def create(self):
        os.makedirs(self.path, mode=0o700, exist_ok=True)

# === safe: chmod of an own class
class Drawing:
    def __init__(self):
        self.mode = None

    def chmod(self, mode):
        self.mode = mode


drawing = Drawing()
drawing.chmod(0o777)

# === safe: warning about a mode in the text
import os
import stat


def check(path):
    mode = stat.S_IMODE(os.stat(path).st_mode)
    if mode == 0o777 or mode & stat.S_IWOTH:
        print("refusing to start: chmod 777 on", path)
        return False
    return True

# === safe: django upload permissions for owner and group
FILE_UPLOAD_PERMISSIONS = 0o640
FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o750
MEDIA_ROOT = "/srv/media"

# === safe: unrelated number 777
import random


def jackpot():
    ticket = random.randint(0, 0o777)
    return ticket == 777
