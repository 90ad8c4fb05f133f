// In charge of rendering SVGs from our own code to PNG, with the fonts of the product only.
import { Resvg } from '@resvg/resvg-js'
import { fontPaths } from './families.ts'

/** The SVG as a PNG of the size that the SVG itself states. */
export async function rasterize({ svg }: { svg: string }): Promise<Uint8Array> {
  const font = { loadSystemFonts: false, fontFiles: [...fontPaths('Inter')], defaultFontFamily: 'Inter' }
  return new Resvg(svg, { font }).render().asPng()
}
