// In charge of the wire shapes about how a creative was made: the parts that models made, the answers of people, the labels that
// markets require, and the content credentials in the creative's file.
import Type from 'typebox'
import { Closed, Count, DateTime, Digest, Id, Nullable, Words } from './wire/schema.ts'
import { Author } from './workspace.ts'

export const aiKinds = ['none', 'assisted', 'generated'] as const
export type AiKind = (typeof aiKinds)[number]

const Answer = Closed(
  {
    value: Nullable(Type.Boolean({ description: 'Null: not asked yet, or asked of another file.' })),
    by: Nullable(Author),
    at: Nullable(DateTime()),
  },
  { $id: 'MarkAnswer', description: 'What a person said of the file that the creative has now.' },
)

export const LabelDemand = Closed(
  {
    rule: Type.String({ description: 'Id of the rule.' }),
    market: Type.String(),
    since: Type.String({ format: 'date', description: 'The first day it is demanded.' }),
    words: Type.String({
      description: 'What the label says, in the language of the task where there are words for it.',
    }),
    source: Closed({ title: Type.String(), url: Type.String(), read: Type.String({ format: 'date' }) }),
    because: Type.Enum(['confirmed', 'not_asked', 'generated'], {
      description:
        'confirmed: a person said that the file shows what the rule is about · not_asked: a model made it or a picture in it, and nobody said that it does not · generated: a model made it or a picture in it.',
    }),
    met: Nullable(
      Type.Enum(['drawn', 'confirmed', 'waived'], {
        description:
          'drawn: by `layout.render` · confirmed: a person sees it on the file · waived: an admin lets it pass · null: it is missing.',
      }),
    ),
    waiver: Nullable(Closed({ reason: Type.String(), by: Nullable(Author), at: DateTime() })),
  },
  { $id: 'LabelDemand', description: 'A visible label that a market of the task demands on a creative.' },
)

export const CreativeMarks = Closed(
  {
    creative_id: Id(),
    name: Type.String(),
    file: Nullable(Type.String({ description: 'SHA-256 of the file that this is about.' })),
    ai: Nullable(
      Type.Enum([...aiKinds], {
        description:
          'Whether a model made the picture, a part of it or its words, or nothing: by what its graph did, or by what the file says. Null: not known.',
      }),
    ),
    source_type: Nullable(Type.String({ description: 'The digital source type (IPTC) that the file names.' })),
    synthetic_performer: Answer,
    deepfake: Answer,
    label: Closed({
      drawn: Type.Array(Type.String(), { description: 'Rules whose label `layout.render` drew on it.' }),
      confirmed: Answer,
    }),
    demands: Type.Array(LabelDemand),
  },
  { $id: 'CreativeMarks', description: 'What a creative says of how it was made, and the labels it needs.' },
)
export type CreativeMarks = Type.Static<typeof CreativeMarks>

const said = (description: string) => Type.Optional(Nullable(Type.Boolean({ description })))
export const CreativeMarksPatch = Closed(
  {
    synthetic_performer: said('Whether it shows a person that a model made. Null: not asked.'),
    deepfake: said('Whether it shows persons, objects or events in a way that would pass for real and is not.'),
    label: said('Whether a visible label stands on it.'),
    file: Type.Optional(
      Digest({
        description:
          'SHA-256 of the file that the caller looked at. If the creative has another one now, nothing is changed (`version_not_current`).',
      }),
    ),
  },
  {
    $id: 'CreativeMarksPatch',
    description: 'What the caller confirms of the file that the creative has now. Members left out stay as they are.',
  },
)
export type CreativeMarksPatch = Type.Static<typeof CreativeMarksPatch>

export const LabelWaiver = Closed(
  { reason: Words(500, { description: 'Stands in the activity.' }) },
  { $id: 'LabelWaiver' },
)

/** One entry in a refusal for missing labels: a creative, and the rule whose label the creative lacks. */
export const MissingLabel = Closed(
  {
    creative_id: Id(),
    name: Type.String(),
    rule: Type.String(),
    market: Type.String(),
    words: Type.String(),
    because: LabelDemand.properties.because,
  },
  { $id: 'MissingLabel' },
)
export type MissingLabel = Type.Static<typeof MissingLabel>

const credentialStates = ['trusted', 'valid', 'invalid', 'none', 'unreadable'] as const

export const FileCredentials = Closed(
  {
    digest: Type.String(),
    media_type: Type.String(),
    ai: CreativeMarks.properties.ai,
    source_type: CreativeMarks.properties.source_type,
    state: Type.Enum([...credentialStates], {
      description:
        'trusted: whole, and signed by the certificate of this installation · valid: whole, signed by somebody this installation does not know · invalid: changed since it was signed · none: there are none · unreadable: see `problems`.',
    }),
    certificate: Nullable(
      Type.Enum(['local', 'operator', 'other'], {
        description: 'local: one this installation made for itself · operator: the one in its settings · other.',
      }),
    ),
    signed_by: Nullable(Type.String({ description: 'The name on the certificate.' })),
    issuer: Nullable(Type.String({ description: 'The organization on the certificate.' })),
    signed_at: Nullable(DateTime({ description: 'By a time stamp of an authority; null where there is none.' })),
    generator: Nullable(Type.String({ description: 'The program that made the claim.' })),
    actions: Type.Array(
      Closed({
        action: Type.String({ description: 'Such as `c2pa.created`.' }),
        source_type: Nullable(Type.String()),
        software: Nullable(Type.String()),
      }),
      { description: 'What was done, in order.' },
    ),
    models: Type.Array(Type.String(), { description: 'Models that the file names.' }),
    ingredients: Type.Array(
      Closed({
        title: Nullable(Type.String()),
        media_type: Nullable(Type.String()),
        relation: Nullable(Type.String({ description: '`parentOf` or `componentOf`.' })),
        has_credentials: Type.Boolean(),
        signed_by: Nullable(Type.String()),
        source_type: Nullable(Type.String()),
      }),
    ),
    manifests: Count({ description: 'Its own, and those of what it was made from.' }),
    problems: Type.Array(Type.String(), { description: 'What does not hold, in the words of the library.' }),
  },
  { $id: 'FileCredentials', description: 'What the marks in a file say, and whether its signature holds.' },
)
export type FileCredentials = Type.Static<typeof FileCredentials>
