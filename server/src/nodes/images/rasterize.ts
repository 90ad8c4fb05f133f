// In charge of rendering an SVG that our code made as PNG, with our fonts only.
import { Resvg } from '@resvg/resvg-js'
import { fontPaths } from './families.ts'

/** The SVG as a PNG, in the SVG's own size. */
export async function rasterize({ svg }: { svg: string }): Promise<Uint8Array> {
  const font = { loadSystemFonts: false, fontFiles: [...fontPaths('Inter')], defaultFontFamily: 'Inter' }
  return new Resvg(svg, { font }).render().asPng()
}
