// In charge of `layout.render`: makes a finished ad from words, a picture and a brand, in each of the chosen sizes.
import type { FileValue } from '@atelier/contract/graph/definition.ts'
import { defaultLabelRules, type LabelRule } from '@atelier/contract/label-rules.ts'
import Type from 'typebox'
import { defineNode, File, gives, needs, TextList, takes } from './define.ts'
import { families } from './images/families.ts'
import type { Theme } from './images/layout/colours.ts'
import { labelledImplementation, labelsFor } from './images/layout/labels.ts'
import type { LayoutJob, OutputFormat, TemplateName } from './images/layout/render.ts'
import { readPicture } from './images/params.ts'
import { Misfit, placementsParam, sortOut } from './images/placements.ts'
import type { PictureWorkers } from './images/workers.ts'
import { NodeFailure, type NodeFiles } from './node-type.ts'

const colour = (title: string, description: string, value: string) =>
  Type.String({
    ...{ title, description, default: value, examples: [value] },
    ...{ pattern: '^#[0-9a-fA-F]{6}$', 'x-atelier': 'colour' },
  })
const choice = <T extends string>(title: string, description: string, among: readonly [T, ...T[]], more = {}) =>
  Type.Unsafe<T>({ type: 'string', enum: [...among], title, description, default: among[0], ...more })
const words = (title: string, description: string) =>
  takes({ title, description, schema: Type.String({ maxLength: 600 }) })

const params = {
  template: choice<TemplateName>(
    'Template',
    'hero: picture behind the words. split: beside them. quote: what a customer said. offer: a price or discount.',
    ['hero', 'split', 'quote', 'offer'],
    { 'x-atelier': 'pictured' },
  ),
  placements: placementsParam('A picture is made for each.'),
  primary: colour('Brand colour', 'The ground is made from it.', '#1d3557'),
  accent: colour('Accent colour', 'Buttons, kickers and prices.', '#ff5a36'),
  theme: choice<Theme>('Ground', 'Plain brand colour, a light or a dark tint of it.', ['colour', 'light', 'dark']),
  font: Type.Unsafe<string>({
    type: 'string',
    enum: [...families],
    title: 'Font',
    description: 'Of headings and text; the input “Font” takes one of your own.',
    default: 'Inter',
  }),
  brand: Type.String({
    title: 'Brand name',
    description: 'Stands where no logo is led to the node.',
    default: '',
    maxLength: 60,
    examples: ['Nord'],
  }),
  performer: Type.Boolean({
    title: 'Shows a made-up person',
    description: 'A person in the picture was made by a model. Some markets demand that it is said.',
    default: false,
  }),
  format: choice<OutputFormat>('Format', 'PNG is exact; JPEG is smaller where there is a photo.', ['png', 'jpeg']),
}

const inputs = {
  headline: needs({
    title: 'Headline',
    description: 'The words that must be read.',
    schema: Type.String({ minLength: 1, maxLength: 300 }),
  }),
  kicker: words('Kicker', 'A few words above the headline.'),
  body: words('Body', 'A sentence below the headline.'),
  action: words('Button', 'The call to action.'),
  offer: words('Offer', 'A price or discount, for the template “offer”.'),
  author: words('Author', 'Who said it, for the template “quote”.'),
  disclaimer: words('Disclaimer', 'The small print.'),
  image: takes({ title: 'Picture', description: 'A product or a scene.', schema: File }),
  logo: takes({ title: 'Logo', description: 'A PNG or SVG without a ground of its own.', schema: File }),
  font: takes({ title: 'Font', description: 'A TrueType or OpenType file to set everything in.', schema: File }),
  placement: takes({
    title: 'Size',
    description: 'One size such as 1080x1350, in place of those set in the node.',
    schema: Type.String(),
  }),
  market: takes({
    title: 'Market',
    description: 'Where the ad runs, as the card says it (“Market” of a task), such as DE or US.',
    schema: Type.String({ maxLength: 64 }),
  }),
  language: takes({
    title: 'Language',
    description: 'Of the label that the market demands, such as de-AT.',
    schema: Type.String({ maxLength: 64 }),
  }),
}

export const layoutRender = (workers: PictureWorkers, rules: readonly LabelRule[] = defaultLabelRules) =>
  defineNode({
    type: 'layout.render',
    implementation: labelledImplementation(rules),
    title: 'Render ad',
    summary: 'Makes finished ads from words, a picture and your brand, in every size at once.',
    group: 'image',
    help: `
Pick a template, set the brand's colours, and lead a headline to it. Everything else is optional: what is not given is
not drawn. Words are set as large as they fit, in lines of like length; text on small sizes is kept readable.

- A **body** is left out where a size has no room for it. Headline, offer, button and disclaimer never are: a size they do not
  fit is not made, and the node says how many characters would. It fails where no size can be made.
- Without a **picture** there is a pattern in your colours. Pictures are cut around what draws attention.
- 1080×1920 keeps clear of what apps cover at top and bottom.
- Lead the **market** of the card to it, and pictures of models get the visible label that this market demands, in the card's
  language. Say with **Shows a made-up person** what no program can see.
- For **quote**, the headline is what was said, and the author reads “Name, what they do”.
- Inter, Bricolage Grotesque and Playfair Display have Latin and its neighbours. For other scripts lead a font file.

To make one for each row of a table, let it run once for each row and fill a **Text template** for the headline.`,
    params,
    inputs,
    outputs: {
      images: gives('Ads', 'One for each size, in their order.', Type.Array(File)),
      image: gives('First ad', 'The first of them.', File),
      labels: gives('Labels', 'The markets’ rules whose label stands on the ads.', TextList),
    },
    concurrency: 4,
    timeoutSeconds: 180,
    run: async ({ params, inputs, seed, files, signal, progress }) => {
      if (inputs.headline.trim() === '') throw new NodeFailure('The headline is blank. Lead some words to it.')
      const sizes = inputs.placement === undefined ? params.placements : [inputs.placement]
      const { template, format, primary, accent, theme, font: family } = params
      const said = (text: string | undefined): string | null => (text === undefined || text.trim() === '' ? null : text)
      const job: Omit<LayoutJob, 'placement'> = {
        ...{ template, format, seed, look: { primary, accent, theme, family } },
        words: {
          headline: inputs.headline,
          ...{ kicker: said(inputs.kicker), body: said(inputs.body), action: said(inputs.action) },
          ...{ offer: said(inputs.offer), author: said(inputs.author), disclaimer: said(inputs.disclaimer) },
          brand: said(params.brand),
          label: null,
        },
        labels: labelsFor(rules, inputs, params.performer),
        picture: await bytesOf(inputs.image, files),
        logo: await bytesOf(inputs.logo, files),
        font: await bytesOf(inputs.font, files),
      }
      let done = 0
      const tried = await Promise.allSettled(
        sizes.map(async (placement) => {
          const made = await workers.layout({ ...job, placement }, signal)
          if ('misfit' in made) throw new Misfit(made.misfit)
          const { bytes, labels } = made
          progress(++done / sizes.length, `${done} of ${sizes.length} sizes`)
          const name = `${template}-${placement}.${format === 'png' ? 'png' : 'jpg'}`
          return { file: await files.write(bytes, `image/${format}`, name), labels }
        }),
      )
      const { drawn, leftOut } = sortOut(tried)
      const images = drawn.map(({ file }) => file)
      const outputs = { images, image: images[0], labels: drawn[0]?.labels ?? [] }
      return { outputs, ...(leftOut === '' ? {} : { message: leftOut }) }
    },
  })

const bytesOf = async (file: FileValue | undefined, files: NodeFiles): Promise<Uint8Array | null> =>
  file === undefined ? null : readPicture(file, files)
