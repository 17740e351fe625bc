"""Which hosts and origins are ours (pure). A browser makes loopback a public place: any page may
send requests here, and a foreign name may be pointed here.
"""

import ipaddress
from collections.abc import Collection
from typing import Final
from urllib.parse import urlsplit

_WEB_SCHEMES: Final = frozenset({"http", "https"})


def host_name(host: str) -> str | None:
    """Return the name part of a ``Host`` header in lower case; None if it is not one."""
    name, _, port = host.rpartition(":") if _has_port(host) else (host, "", "")
    if port and not (port.isascii() and port.isdigit()):
        return None
    return name.lower() or None


def host_allowed(host: str | None, allowed: Collection[str]) -> bool:
    """Tell whether a ``Host`` header names us."""
    return host is not None and host_name(host) in {name.lower() for name in allowed}


def origin_is_ours(origin: str, host: str) -> bool:
    """Tell whether a page at ``origin`` was served under the same host and port as asked now."""
    scheme, separator, authority = origin.partition("://")
    return bool(separator) and scheme in _WEB_SCHEMES and authority.lower() == host.lower()


def is_loopback(address: str) -> bool:
    """Tell whether ``address`` (a name or an IP address) can only be reached on this machine."""
    if address.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(address.strip("[]")).is_loopback
    except ValueError:
        return False


def media_origins(livekit_url: str) -> tuple[str, str]:
    """Return the media server's WebSocket and HTTP origins, for ``connect-src``."""
    parts = urlsplit(livekit_url)
    secure = "s" if parts.scheme in {"wss", "https"} else ""
    return f"ws{secure}://{parts.netloc}", f"http{secure}://{parts.netloc}"


def _has_port(host: str) -> bool:
    return ":" in host and not host.endswith("]")
