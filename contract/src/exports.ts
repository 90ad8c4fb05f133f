// In charge of the wire shapes of exports: which files of a run go to a card, what they would become, and what made them.
import Type from 'typebox'
import { NodeStatus } from './enums.ts'
import { aiKinds } from './marks.ts'
import { taskLimits } from './task-limits.ts'
import { Closed, DateTime, Id, Nullable, OpenObject, Reference } from './wire/schema.ts'

export const ExportOutput = Closed({
  node_id: Type.String({ minLength: 1 }),
  port: Type.Optional(Nullable(Type.String({ minLength: 1, description: 'Its only port with files by default.' }))),
  item: Type.Optional(Nullable(Type.Integer({ minimum: 0, description: 'One of its list; null: all of it.' }))),
  variation_num: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 1,
        maximum: taskLimits.variation_num,
        description:
          'The variant of the card that it is for; null: none. Left out: that of the run, or of the next planned name that is free.',
      }),
    ),
  ),
})
export type ExportOutput = Type.Static<typeof ExportOutput>

/** Only here can one file of an item be named: automations choose what they export before there is any file. */
const RunOutput = Closed({
  ...ExportOutput.properties,
  index: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 0,
        description: 'Of an item that gives several files: the place of one of them in its list; null: all of them.',
      }),
    ),
  ),
})

export const RunExport = Closed(
  {
    task_id: Type.Optional(Nullable(Reference({ description: 'The card; the pinned task where left out.' }))),
    outputs: Type.Array(RunOutput, {
      minItems: 1,
      maxItems: 500,
      description: 'Each file becomes a creative with the next planned name that is free, or the next canonical one.',
    }),
  },
  { $id: 'RunExport' },
)
export type RunExport = Type.Static<typeof RunExport>

export const ExportPlan = Closed(
  {
    files: Type.Array(
      Closed({
        node_id: Type.String(),
        port: Type.String(),
        item: Nullable(Type.Integer({ description: 'Its place in the list of the node; null where it gives one.' })),
        index: Nullable(
          Type.Integer({ description: 'Its place in the list of its item; null where that gives no list.' }),
        ),
        name: Type.String({ description: 'What its creative is called, or would be.' }),
        variation_num: Nullable(Type.Integer({ description: 'The variant that its creative is of, or would be.' })),
        creative_id: Nullable(Type.String({ description: 'The creative it is on this card already.' })),
        ai: Nullable(
          Type.Enum([...aiKinds], { description: 'How much of it a model made, as far as that is known before.' }),
        ),
      }),
      { description: 'In the order of the outputs.' },
    ),
  },
  { $id: 'ExportPlan', description: 'What an export would make, as things stand.' },
)
export type ExportPlan = Type.Static<typeof ExportPlan>

export const Provenance = Closed(
  {
    run_id: Id(),
    graph_id: Nullable(Type.String()),
    generation: Type.Integer(),
    node_id: Id(),
    node_type: Type.String(),
    node_version: Type.Integer(),
    port: Type.String(),
    item: Nullable(Type.Integer()),
    index: Nullable(
      Type.Integer({
        description:
          'Its place in the list of its item. Null: the item gave no list, or it was exported before this was noted.',
      }),
    ),
    params: OpenObject('The params of the node.'),
    inputs: OpenObject('The values of its input ports.'),
    status: NodeStatus,
    credits: Type.Number({ description: 'What making it cost, when it was made.' }),
    ai: Nullable(
      Type.Enum([...aiKinds], {
        description:
          'Whether a model made the picture, a part of it or its words, or nothing. Null: exported before this was noted.',
      }),
    ),
    source_type: Nullable(Type.String({ description: 'The digital source type (IPTC) that the file names.' })),
    signed_by: Nullable(Type.String({ description: 'Whose certificate signed the content credentials in the file.' })),
    file: Nullable(
      Type.String({ description: 'SHA-256 of the file that this is about. Null: exported before this was noted.' }),
    ),
    labels: Type.Array(Type.String(), {
      description: 'Rules of markets whose label `layout.render` drew on it, where nothing was cut off since.',
    }),
    unsigned_because: Nullable(Type.String({ description: 'Why the file has no content credentials of ours.' })),
    exported_at: DateTime(),
    exported_by: Nullable(Type.String({ description: 'The person, or the token of an integration.' })),
  },
  { $id: 'Provenance', description: 'What made a creative’s file.' },
)
