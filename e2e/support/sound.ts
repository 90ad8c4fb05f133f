// In charge of the sound that tests upload: a second of a tone, as a WAV file.

const perSecond = 8000

export function soundBytes(): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + perSecond, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  // PCM, one channel, a byte for each sample.
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(perSecond, 24)
  header.writeUInt32LE(perSecond, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36)
  header.writeUInt32LE(perSecond, 40)
  const samples = Uint8Array.from({ length: perSecond }, (_, at) => 128 + 60 * Math.sin(at / 3))
  return Buffer.concat([header, samples])
}
