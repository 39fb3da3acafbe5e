#!/usr/bin/python3
"""Writes known_answers.txt: one envelope of every kind as protobuf's Python module encodes it.

usage: /usr/bin/python3 src/ppdnmf/wire/testdata/make_known_answers.py   (Debian: python3-protobuf, protobuf-compiler)
The values are those of test_envelopes.h.
"""
import pathlib
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
with tempfile.TemporaryDirectory() as folder:
    subprocess.run(["protoc", f"--python_out={folder}", f"-I{here.parent}", "envelope.proto"], check=True)
    sys.path.insert(0, folder)
    import envelope_pb2 as pb


def counting(first, size):
    return bytes((first + i) % 256 for i in range(size))


def letter(save_number, **body):
    return pb.Envelope(letter=pb.Letter(save_number=save_number, run=counting(200, 16), **body))


digest = counting(7, 32)
zero = bytes(32)
payload = bytes([0, 255, 1, 2])
never = 2**32 - 1
envelopes = {
    "introduction": pb.Envelope(introduction=pb.Introduction(version=5, consortium=digest, nonce=counting(100, 32), seen=300)),
    "introduction_zero": pb.Envelope(introduction=pb.Introduction(version=5, consortium=zero, nonce=zero)),
    "hello": letter(5, hello=pb.Hello(again=True, common=digest, weight=-3, payload=payload)),
    "hello_empty": letter(0, hello=pb.Hello(common=zero)),
    "hello_extreme": letter(2**64 - 1, hello=pb.Hello(again=True, common=digest, weight=-2**63, payload=payload)),
    "query": letter(1, query=pb.Query(iteration=1, admm=2, stop_admm=77, payload=payload)),
    "query_never": letter(1, query=pb.Query(iteration=300, admm=70000, stop_admm=never)),
    "reply": letter(128, reply=pb.Reply(iteration=9, admm=1, weight=1234567890123, payload=bytes([17]) * 300)),
    "partial": letter(2, partial=pb.Partial(number=0, stop=True, chain=digest, payload=payload)),
    "total": letter(3, total=pb.Total(number=4, payload=payload)),
    "total_signed": letter(3, signature=bytes([19]) * 72, total=pb.Total(number=4, payload=payload)),
    "total_empty": letter(0, total=pb.Total()),
    "goodbye": pb.Envelope(goodbye=pb.Goodbye()),
    "abort": pb.Envelope(abort=pb.Abort(reason=3)),
    "abort_of_another": pb.Envelope(abort=pb.Abort(reason=13, who=300)),
}
lines = [f"{name} {envelope.SerializeToString(deterministic=True).hex()}\n" for name, envelope in envelopes.items()]
(here / "known_answers.txt").write_text("".join(lines))
