// In charge of types for the part of the package harfbuzzjs that is used here, because the package comes without types.
declare module 'harfbuzzjs' {
  /** After shaping, `codepoint` is the glyph's number in the font; 0 means that the font has no glyph for the character. */
  type Glyph = { codepoint: number; cluster: number; x_advance?: number }
  export type Buffer = {
    addText(text: string): void
    guessSegmentProperties(): void
    getGlyphInfosAndPositions(): Glyph[]
    destroy(): void
  }
  export type Font = { setScale(x: number, y: number): void; destroy(): void }
  export type Face = { upem: number; destroy(): void }
  type HarfBuzz = {
    createBlob(bytes: ArrayBuffer | Uint8Array): { destroy(): void }
    createFace(blob: { destroy(): void }, index: number): Face
    createFont(face: Face): Font
    createBuffer(): Buffer
    shape(font: Font, buffer: Buffer): void
  }
  const ready: Promise<HarfBuzz>
  export default ready
}
