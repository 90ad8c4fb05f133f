// In charge of rendering SVGs of our own code as PNG, with our fonts only.
import { Resvg } from '@resvg/resvg-js'
import { fontPaths } from './families.ts'

/** The SVG as a PNG, in the SVG's own size. */
export async function rasterize({ svg }: { svg: string }): Promise<Uint8Array> {
  const font = { loadSystemFonts: false, fontFiles: [...fontPaths('Inter')], defaultFontFamily: 'Inter' }
  return new Resvg(svg, { font }).render().asPng()
}
