// In charge of the words for how a file was made, which labels it needs, and what its content credentials say. Pure.
import type { Credentials, Marks } from './types.ts'

type Tone = 'ok' | 'warn' | 'danger' | 'accent'
export type Chip = { words: string; tone: Tone | undefined }

const kinds: Record<NonNullable<Marks['ai']>, string> = {
  generated: 'AI-generated',
  assisted: 'AI-assisted',
  none: 'No AI',
}

export const aiWords = (ai: Marks['ai']): string => (ai === null ? 'Not known' : kinds[ai])

/** The short marks of a creative in a list: whether AI made it or helped to make it, and whether it has the labels it needs. */
export function chipsOf({ ai, demands }: Pick<Marks, 'ai' | 'demands'>): Chip[] {
  const made: Chip[] = ai === 'generated' || ai === 'assisted' ? [{ words: kinds[ai], tone: 'accent' }] : []
  if (demands.length === 0) return made
  const met = demands.map(({ met }) => met)
  if (met.includes(null)) return [...made, { words: 'Label missing', tone: 'danger' }]
  return [...made, met.includes('waived') ? { words: 'Label waived', tone: 'warn' } : { words: 'Labelled', tone: 'ok' }]
}

type Demand = Marks['demands'][number]

export function metWords({ met, waiver }: Pick<Demand, 'met' | 'waiver'>): Chip {
  switch (met) {
    case 'drawn':
      return { words: 'Drawn on it', tone: 'ok' }
    case 'confirmed':
      return { words: 'Seen on it', tone: 'ok' }
    case 'waived':
      return { words: `Let pass by ${waiver?.by?.name ?? 'an admin'}`, tone: 'warn' }
    case null:
      return { words: 'Missing', tone: 'danger' }
  }
}

const reasons: Record<Demand['because'], string> = {
  confirmed: 'because of what was said above',
  not_asked: 'because a model made it or a picture in it, and nobody has answered above',
  generated: 'because a model made it or a picture in it',
}
export const whyWords = ({ because }: Pick<Demand, 'because'>): string => reasons[because]

/** Whether the signature of the credentials is valid, and who signed them. */
export function stateWords({ state, certificate, signed_by }: Credentials): Chip {
  const who = signed_by ?? 'somebody'
  switch (state) {
    case 'trusted':
      return {
        words: certificate === 'local' ? 'Whole, signed by this installation' : `Whole, signed by ${who}`,
        tone: 'ok',
      }
    case 'valid':
      return { words: `Whole, signed by ${who}, who is not known here`, tone: 'warn' }
    case 'invalid':
      return { words: 'Changed since it was signed', tone: 'danger' }
    case 'none':
      return { words: 'Not signed', tone: undefined }
    case 'unreadable':
      return { words: 'Cannot be read', tone: 'danger' }
  }
}

/** The last part of the identifier of a term or an action, such as `trainedAlgorithmicMedia` or `resized`. */
const termOf = (address: string): string => address.split(/[/.]/).at(-1) ?? address

const sources: Readonly<Record<string, string>> = {
  trainedAlgorithmicMedia: 'made by a model',
  compositeWithTrainedAlgorithmicMedia: 'composed with a picture of a model',
  compositeSynthetic: 'composed with something synthetic',
  algorithmicMedia: 'drawn by a formula',
  digitalCapture: 'taken by a camera',
  digitalCreation: 'made by people with software',
}

export function sourceWords(address: string): string {
  const term = termOf(address)
  return sources[term] ?? term.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim()
}

type Action = Credentials['actions'][number]

/** An action from the credentials in words, as in “created by painter, made by a model”. */
export function actionWords({ action, source_type, software }: Action): string {
  const done = termOf(action).replaceAll('_', ' ')
  const by = software === null ? done : `${done} by ${software}`
  return source_type === null ? by : `${by}, ${sourceWords(source_type)}`
}
