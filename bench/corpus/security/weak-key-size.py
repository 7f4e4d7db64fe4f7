# === vulnerable: cryptography RSA 1024 with keyword arguments
from cryptography.hazmat.primitives.asymmetric import rsa


def new_signing_key():
    return rsa.generate_private_key(public_exponent=65537, key_size=1024)

# === vulnerable: cryptography RSA 512 with positional arguments
from cryptography.hazmat.backends import default_backend
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key


def device_key():
    key = generate_private_key(65537, 512, default_backend())
    return key, key.public_key()

# === vulnerable: cryptography RSA size held in a module constant
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

KEY_BITS = 1024


def write_key(path: str) -> None:
    key = rsa.generate_private_key(public_exponent=65537, key_size=KEY_BITS)
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    with open(path, "wb") as fh:
        fh.write(pem)

# === vulnerable: cryptography DSA 1024
from cryptography.hazmat.primitives.asymmetric import dsa


class Signer:
    def __init__(self):
        self._key = dsa.generate_private_key(key_size=1024)

    def public_numbers(self):
        return self._key.public_key().public_numbers()

# === vulnerable: cryptography DH parameters of 512 bits
from cryptography.hazmat.primitives.asymmetric import dh


def exchange_parameters():
    parameters = dh.generate_parameters(generator=2, key_size=512)
    return parameters, parameters.generate_private_key()

# === vulnerable: pycryptodome RSA.generate 1024
from Crypto.PublicKey import RSA


def create_customer_key(passphrase: str) -> bytes:
    key = RSA.generate(1024)
    return key.export_key(passphrase=passphrase, pkcs=8)

# === vulnerable: pycryptodome RSA.generate with the bits keyword
from Crypto.PublicKey import RSA as rsa_keys


def bootstrap(settings: dict):
    pair = rsa_keys.generate(bits=768)
    settings["public_key"] = pair.publickey().export_key().decode()
    return pair

# === vulnerable: pycryptodomex DSA 1024
from Cryptodome.PublicKey import DSA


def make_release_key():
    size = 1024
    key = DSA.generate(size)
    return key.export_key()

# === vulnerable: elliptic curve SECP192R1
from cryptography.hazmat.primitives.asymmetric import ec


def sensor_key():
    return ec.generate_private_key(ec.SECP192R1())

# === vulnerable: elliptic curve SECT163K1 through a variable
from cryptography.hazmat.primitives.asymmetric.ec import SECT163K1, generate_private_key


def tag_key():
    curve = SECT163K1()
    private_key = generate_private_key(curve)
    return private_key.public_key()

# === vulnerable: pyOpenSSL generate_key RSA 1024
from OpenSSL import crypto


def self_signed(common_name: str):
    pkey = crypto.PKey()
    pkey.generate_key(crypto.TYPE_RSA, 1024)
    cert = crypto.X509()
    cert.get_subject().CN = common_name
    cert.set_pubkey(pkey)
    cert.sign(pkey, "sha256")
    return cert, pkey

# === vulnerable: paramiko RSA key of 1024 bits
import paramiko


def provision_ssh_key(path: str) -> str:
    key = paramiko.RSAKey.generate(bits=1024)
    key.write_private_key_file(path)
    return key.get_base64()

# === vulnerable: helper function with a weak default size
from Crypto.PublicKey import RSA


def _generate(bits=1024):
    return RSA.generate(bits)


def tenant_key(tenant: str):
    return {"tenant": tenant, "key": _generate().export_key()}

# === safe: cryptography RSA 2048
from cryptography.hazmat.primitives.asymmetric import rsa


def new_signing_key():
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)

# === safe: cryptography RSA 4096 positional
from cryptography.hazmat.backends import default_backend
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key


def device_key():
    key = generate_private_key(65537, 4096, default_backend())
    return key, key.public_key()

# === safe: RSA size held in a constant of 3072
from cryptography.hazmat.primitives.asymmetric import rsa

KEY_BITS = 3072


def make_key():
    return rsa.generate_private_key(public_exponent=65537, key_size=KEY_BITS)

# === safe: Ed25519 key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


class Signer:
    def __init__(self):
        self._key = Ed25519PrivateKey.generate()

    def sign(self, data: bytes) -> bytes:
        return self._key.sign(data)

# === safe: DH parameters of 2048 bits
from cryptography.hazmat.primitives.asymmetric import dh


def exchange_parameters():
    return dh.generate_parameters(generator=2, key_size=2048)

# === safe: pycryptodome RSA.generate 3072
from Crypto.PublicKey import RSA


def create_customer_key(passphrase: str) -> bytes:
    key = RSA.generate(3072)
    return key.export_key(passphrase=passphrase, pkcs=8, protection="scryptAndAES128-CBC")

# === safe: elliptic curve SECP256R1
from cryptography.hazmat.primitives.asymmetric import ec


def sensor_key():
    return ec.generate_private_key(ec.SECP256R1())

# === safe: elliptic curve P-384 with pycryptodome
from Crypto.PublicKey import ECC


def tag_key():
    key = ECC.generate(curve="P-384")
    return key.export_key(format="PEM")

# === safe: AES-256 key of 256 bits is not an RSA size
from cryptography.hazmat.primitives.ciphers.aead import AESGCM


def data_key() -> bytes:
    return AESGCM.generate_key(bit_length=256)

# === safe: chunk size of 1024 while reading a 2048-bit key setup
from cryptography.hazmat.primitives.asymmetric import rsa


def copy_stream(src, dst, chunk_size=1024):
    while chunk := src.read(chunk_size):
        dst.write(chunk)


def make_key():
    return rsa.generate_private_key(65537, 2048)

# === safe: generate method of a thumbnail object takes 512
class Thumbnails:
    def generate(self, key_size: int, quality: int = 80) -> str:
        return f"thumb-{key_size}-{quality}.webp"


RSA = Thumbnails()


def small_preview() -> str:
    return RSA.generate(512)

# === safe: pyOpenSSL RSA 4096
from OpenSSL import crypto


def server_key() -> bytes:
    pkey = crypto.PKey()
    pkey.generate_key(crypto.TYPE_RSA, 4096)
    return crypto.dump_privatekey(crypto.FILETYPE_PEM, pkey)

# === safe: weak sizes rejected before use
from Crypto.PublicKey import RSA

MINIMUM_BITS = 2048


def load_partner_key(pem: bytes):
    key = RSA.import_key(pem)
    if key.size_in_bits() < MINIMUM_BITS:
        raise ValueError("RSA keys of 1024 bits are too short")
    return key
