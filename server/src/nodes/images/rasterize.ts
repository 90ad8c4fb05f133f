// In charge of turning SVG that we wrote ourselves into PNG, on a thread of the renderer's own, with our fonts only.
import { renderAsync } from '@resvg/resvg-js'
import { fontPaths } from './fonts.ts'

/** The PNG of an SVG, at the SVG's own size. */
export async function rasterize(svg: string, signal: AbortSignal): Promise<Buffer> {
  const font = { loadSystemFonts: false, fontFiles: [...fontPaths('Inter')], defaultFontFamily: 'Inter' }
  return (await renderAsync(svg, { font }, signal)).asPng()
}
