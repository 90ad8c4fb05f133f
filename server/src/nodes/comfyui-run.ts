// In charge of `comfyui.run`: makes pictures and videos with a workflow of ComfyUI.
import type { FileValue } from '@atelier/contract/graph/definition.ts'
import { isFileValue } from '@atelier/contract/graph/definition.ts'
import Type from 'typebox'
import { defineNode, File, gives } from './define.ts'
import { withoutTexts } from './images/containers.ts'
import type { PictureWorkers } from './images/workers.ts'
import { duePrice, keepMade } from './keep-made.ts'
import { mediaOf } from './model-params.ts'
import { type NodeContext, NodeFailure } from './node-type.ts'
import { type Bound, bind, placeIn, readWorkflow } from './outside/comfyui/workflow.ts'
import type { Media } from './outside/models.ts'
import type { Models } from './outside/providers.ts'
import { storePicture } from './store-picture.ts'

/** The name that stands for a model in the prices, provider limits and cache keys of this type; ComfyUI has no model names. */
const model = 'comfyui:workflow'
const secondsPerCredit = 60
const creditsFor = (seconds: number): number => Math.max(1, Math.ceil(seconds / secondsPerCredit))

const place = { pattern: '^[^.\\s]+\\.\\S+$', maxLength: 200 }

const params = {
  workflow: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    title: 'Workflow',
    description: 'As ComfyUI exports it for its API.',
    examples: [{ '6': { class_type: 'CLIPTextEncode', inputs: { text: 'a flask', clip: ['4', 1] } } }],
    'x-atelier': 'json',
  }),
  fields: Type.Record(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$' }), Type.String(place), {
    title: 'Fields',
    description: 'Name of an input → node.field of the workflow.',
    default: {},
    maxProperties: 50,
    examples: [{ prompt: '6.text', picture: '10.image' }],
    'x-atelier': 'json',
  }),
  seed: Type.String({
    title: 'Seed',
    description: 'The field that is given another number with each re-roll, as node.field; left empty, none.',
    default: '',
    maxLength: 200,
    examples: ['3.seed'],
  }),
  longest: Type.Integer({
    title: 'Longest',
    description: 'In seconds, with what waits before it in ComfyUI; then it is stopped there.',
    default: 1200,
    minimum: 10,
    maximum: 3600,
  }),
}

export const comfyUiRun = (models: Models, workers: PictureWorkers) =>
  defineNode({
    type: 'comfyui.run',
    title: 'ComfyUI',
    summary: 'Runs a workflow of ComfyUI, on a machine of your own.',
    group: 'generate',
    help: `
Build the workflow in ComfyUI, export it by **File → Export (API)** and paste it into **Workflow**. What its editor saves
otherwise is of another form, which is refused.

In **Fields**, give each input of this node a name and the place it goes to, as node.field by the numbers in the export:
\`{"prompt": "6.text", "picture": "10.image"}\`. Lead texts, numbers, pictures and videos to inputs of those names. A field
whose input has no value keeps what the workflow has.

Name the field of the seed in **Seed**: without it, a re-roll gives the same again. The same call is made once; a job goes
on in ComfyUI while this service is down, and is found again.

Nobody bills a machine of your own: it costs credits by its time, and money where an operator has set a price per second.`,
    params,
    inputs: {},
    openInputs: true,
    outputs: {
      images: gives('Pictures', 'Every picture it saved.', Type.Array(File)),
      image: gives('First picture', 'The first of them.', File),
      video: gives('Video', 'The first video it saved.', File),
      seconds: gives('Seconds', 'How long ComfyUI worked on it, where it says so.', Type.Number()),
    },
    credits: {
      least: 1,
      most: creditsFor(3600),
      note: `1 for each ${secondsPerCredit} s begun that ComfyUI works on it.`,
    },
    estimate: ({ longest }) => ({ least: 1, most: creditsFor(longest) }),
    retrySafe: false,
    asksFirst: true,
    timeoutSeconds: 3700,
    unavailable: () => models.unavailable('workflow'),
    provider: () => models.keyOf('workflow', model),
    cost: ({ longest }) => {
      const cost = models.cost('workflow', model, { seconds: longest })
      return cost.isKnown ? { ...cost, least: 0 } : null
    },
    run: async ({ params: given, inputs, files, ...context }) => {
      const workflow = readWorkflow(given.workflow)
      const bound = bind(workflow, given.fields, inputs)
      const seed = given.seed === '' ? [] : [{ ...placeIn(workflow, given.seed), value: numberOf(context.seed) }]
      const values = [...(await Promise.all(bound.map((one) => sendable(one, files)))), ...seed]
      const { ask, model: name } = models.find('workflow', model)
      const request = { workflow, values, seconds: given.longest }
      const { made, note, usage, isCharged, charge } = await ask(name, request, { ...context, credits: 1 })
      const from = bound.some(({ value }) => isFileValue(value)) ? ('pictures' as const) : ('words' as const)
      const full = models.costOf('workflow', model, { seconds: made.seconds }, usage)
      const { credits, cost } = duePrice(isCharged, creditsFor(made.seconds ?? 0), full)
      const marked = { workers, files, signal: context.signal, credits, cost, charge, model: 'ComfyUI', from }
      const outputs = { ...(await keep(made.files, marked)), ...named('seconds', made.seconds) }
      return { outputs, credits, cost, ...(note === null ? {} : { message: note }) }
    },
  })

/** The keywords of the texts in which ComfyUI stores the workflow in a picture. It is as confidential as a prompt. */
const workflowTexts = ['prompt', 'workflow']

/** Stores the pictures, with their origin written into them and without ComfyUI's workflow. Videos are stored unchanged. */
async function keep(made: readonly Media[], marked: Parameters<typeof storePicture>[1]) {
  const [images, videos]: [FileValue[], FileValue[]] = [[], []]
  for (const { bytes, mediaType } of made) {
    const [kind, ending] = mediaType.split('/')
    if (kind === 'video') {
      const stored = marked.files.write(bytes, mediaType, `generated.${ending}`)
      videos.push(await keepMade('a video', stored, marked))
    } else images.push(await storePicture(withoutTexts(Buffer.from(bytes), workflowTexts), marked))
  }
  return { images, ...named('image', images[0]), ...named('video', videos[0]) }
}

const named = (port: string, value: unknown) => (value === undefined || value === null ? {} : { [port]: value })

/**
 * A number below 2^32, from the first 8 hexadecimal digits of the seed. The seed field of every ComfyUI node accepts such a number.
 */
const numberOf = (seed: string): number => Number.parseInt(seed.slice(0, 8), 16)

type Sendable = Omit<Bound, 'value' | 'input'> & { value: string | number | boolean | Media }

async function sendable({ node, field, value }: Bound, files: NodeContext['files']): Promise<Sendable> {
  if (!isFileValue(value)) return { node, field, value }
  const kind = (['image', 'video', 'audio'] as const).find((one) => value.media_type.startsWith(`${one}/`))
  if (kind === undefined)
    throw new NodeFailure(
      `${value.name ?? 'The file'} is ${value.media_type}; ComfyUI is sent pictures, videos and sound.`,
    )
  return { node, field, value: await mediaOf(value, kind, files) }
}
