// In charge of the demo's photos: Chromium's software WebGL draws the scenes, which are distance functions in shaders. After a
// change of a shader, run this script and then `ads.ts`: node scripts/run.mjs --dev scripts/demo-pictures/render.ts [name …]
//
// Drawing takes about ten minutes of processor time, so the finished photos are kept in the repository.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { chromium } from 'playwright-core'
import sharp from 'sharp'
import { type PhotoName, photoNames, photoSize } from '../../server/src/nodes/images/photos.ts'
import { findChromium } from '../browsers.ts'

/** The number by which the shaders know each scene. */
const scenes: Record<PhotoName, number> = {
  ...{ bed: 0, duvets: 1, clock: 2, bowl: 3, ingredients: 4, pack: 5, phone: 6, cafe: 7, bubbles: 8 },
}
const samples = 3

const here = import.meta.dirname
const shader = (name: string): string => readFileSync(path.join(here, `${name}.glsl`), 'utf8')
const [first, ...rest] = ['common', 'scenes', 'light', 'main'].map(shader)

const executablePath = findChromium()
if (!executablePath) throw new Error('There is no Chromium: install it, or say where it is with CHROMIUM.')
const webgl = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist']
const browser = await chromium.launch({
  executablePath,
  args: ['--headless', '--no-sandbox', '--disable-gpu-watchdog', ...webgl],
})
const page = await browser.newPage()
await page.evaluate(readFileSync(path.join(here, 'draw.js'), 'utf8'))
const wanted = process.argv.slice(2)
for (const name of photoNames.filter((one) => wanted.length === 0 || wanted.includes(one))) {
  const precise = 'precision highp float;'
  const source = [first?.replace(precise, `${precise}\n#define SCENE ${scenes[name]}`), ...rest].join('\n')
  const drawing = `draw(${JSON.stringify({ source, ...photoSize, samples })})`
  const bytes = Buffer.from(String(await page.evaluate(drawing)), 'base64')
  const file = path.join(here, `../../server/src/nodes/images/photos/${name}.jpg`)
  await sharp(bytes, { raw: { ...photoSize, channels: 3 } })
    .jpeg({ quality: 84, mozjpeg: true })
    .toFile(file)
  console.log(path.relative(process.cwd(), file))
}
await browser.close()
