// In charge of the pictures by which a user chooses a template of `layout.render`; each picture is drawn with its own template. Run
// this script after a template has changed: node scripts/run.mjs --dev scripts/demo-pictures/templates.ts
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import { renderLayout, type TemplateName } from '../../server/src/nodes/images/layout/render.ts'
import { readPhoto } from '../../server/src/nodes/images/photos.ts'

const folder = path.resolve(import.meta.dirname, '../../web/src/graph/pictured')
mkdirSync(folder, { recursive: true })

const none = { kicker: null, body: null, action: null, offer: null, author: null, disclaimer: null, label: null }
const words = {
  hero: { ...none, headline: 'Dinner, weighed to the gram', action: 'Try it' },
  split: { ...none, headline: 'Dinner, weighed to the gram', action: 'Try it' },
  quote: { ...none, headline: 'He waits by the bowl now.', author: 'Ana, with Pip' },
  offer: { ...none, headline: 'Your first box', offer: '−40 %', action: 'Order' },
} satisfies Record<TemplateName, object>

for (const template of ['hero', 'split', 'quote', 'offer'] as const) {
  const drawn = await renderLayout({
    ...{ template, placement: '1080x1350', format: 'png', seed: template, labels: [] },
    words: { ...words[template], brand: null },
    look: { primary: '#1d3557', accent: '#ff5a36', theme: 'colour', family: 'Inter' },
    picture: await readPhoto('bowl'),
    ...{ logo: null, font: null },
  })
  const file = path.join(folder, `${template}.webp`)
  const { size } = await sharp(drawn).resize(216).webp({ quality: 80 }).toFile(file)
  process.stdout.write(`${file}: ${size} bytes\n`)
}
