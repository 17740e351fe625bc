"""Makes an inner value of an ONNX graph an output, without the onnx package.

A serialised model is a protobuf message; when one is followed by a second message of the same
type, parsers merge the two. So appending a graph that has nothing but one ``output`` entry adds
that output: 40 bytes, no copy of the schema needed.
"""

_GRAPH = 7
_GRAPH_OUTPUT = 12
_NAME = 1
_TYPE = 2
_TENSOR_TYPE = 1
_ELEMENT_TYPE = 1
_VARINT = 0
_BYTES = 2
FLOAT = 1


def tapped(model: bytes, tensor: str, *, element_type: int = FLOAT) -> bytes:
    """Return ``model`` with the inner value called ``tensor`` as its last output."""
    element = _key(_ELEMENT_TYPE, _VARINT) + _varint(element_type)
    kind = _field(_TYPE, _field(_TENSOR_TYPE, element))
    output = _field(_NAME, tensor.encode()) + kind
    return model + _field(_GRAPH, _field(_GRAPH_OUTPUT, output))


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def _key(field: int, wire_type: int) -> bytes:
    return _varint(field << 3 | wire_type)


def _field(field: int, payload: bytes) -> bytes:
    return _key(field, _BYTES) + _varint(len(payload)) + payload
