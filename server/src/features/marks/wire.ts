// In charge of deriving, from all that is known about a creative's file, how much of it was made by AI models, and which labels it
// needs. Pure.
import {
  type Demanded,
  demandsOn,
  type LabelRule,
  labelWords,
  type Marked,
  rulesOf,
} from '@atelier/contract/label-rules.ts'
import type { AiKind, CreativeMarks, MissingLabel } from '@atelier/contract/marks.ts'
import { aiOfSourceType, hasModel, termOf } from '../../nodes/images/marks.ts'
import { sourceTypes } from '../../nodes/images/xmp.ts'
import type { MarkedRow, Said } from './store.ts'

const waiverPrefix = 'waiver:'
export const waiverOf = (ruleId: string): string => `${waiverPrefix}${ruleId}`

/** Returns the known source types of a file: the one that the file names, and the one recorded when a run exported the file. */
const termsOf = ({ source_type, made_source_type }: MarkedRow): string[] =>
  [source_type, made_source_type === null ? null : termOf(made_source_type)].filter((term) => term !== null)

const order: readonly (AiKind | null)[] = ['generated', 'assisted', 'none', null]
const strongest = (kinds: readonly (AiKind | null)[]): AiKind | null =>
  order.find((kind) => kinds.includes(kind)) ?? null

/**
 * Returns how much of a file AI models made. The creative's provenance (`made_ai`) and each source type of the file may state
 * this; the strongest of these statements is returned, or null if there is none.
 */
const aiOf = (row: MarkedRow): AiKind | null => strongest([row.made_ai, ...termsOf(row).map(aiOfSourceType)])

function markedOf(row: MarkedRow): Marked {
  const said = (subject: string): boolean | null => row.answers[subject]?.value ?? null
  return {
    // A video or a sound has no place for a source type; that a model made it is known from the graph alone, as `made_ai`. The value
    // `assisted` of `made_ai` does not count, because it is also that of pictures for which a model wrote only text, and text shows no
    // person and no event.
    has_generated: row.made_ai === 'generated' || termsOf(row).some((term) => hasModel(aiOfSourceType(term))),
    synthetic_performer: said('synthetic_performer'),
    deepfake: said('deepfake'),
    labelled: said('label'),
    drawn: row.drawn ?? [],
    waived: Object.keys(row.answers).flatMap((subject) =>
      subject.startsWith(waiverPrefix) ? [subject.slice(waiverPrefix.length)] : [],
    ),
  }
}

/** Returns the labels that a creative needs. A creative without a file needs none, since it has nothing that could be published. */
const demandsOf = (rules: readonly LabelRule[], row: MarkedRow, geo = row.geo): Demanded[] =>
  row.file === null ? [] : demandsOn(rulesOf(rules, geo), row.now.slice(0, 10), markedOf(row))

export function missingOf(rules: readonly LabelRule[], row: MarkedRow, geo: string | null): MissingLabel[] {
  return demandsOf(rules, row, geo).flatMap(({ rule, because, met }) =>
    met === null
      ? [
          {
            creative_id: row.id,
            name: row.name,
            rule: rule.id,
            market: rule.market,
            words: labelWords(rule, row.language),
            because,
          },
        ]
      : [],
  )
}

const notSaid = { value: null, by: null, at: null }
const answerOf = (said: Said | undefined) => (said ? { value: said.value, by: said.by, at: said.at } : notSaid)

export function marksToWire(rules: readonly LabelRule[], row: MarkedRow): CreativeMarks {
  const [term] = termsOf(row)
  const { synthetic_performer, deepfake, label } = row.answers
  return {
    creative_id: row.id,
    name: row.name,
    file: row.file,
    ai: aiOf(row),
    source_type: term === undefined ? null : sourceTypes + term,
    synthetic_performer: answerOf(synthetic_performer),
    deepfake: answerOf(deepfake),
    label: { drawn: row.drawn ?? [], confirmed: answerOf(label) },
    demands: demandsOf(rules, row).map(({ rule, because, met }) => {
      const { id, market, since, source } = rule
      const waived = row.answers[waiverOf(id)]
      const waiver = waived ? { reason: waived.reason ?? '', by: waived.by, at: waived.at } : null
      return { rule: id, market, since, words: labelWords(rule, row.language), source, because, met, waiver }
    }),
  }
}

const mostNames = 3
const quoted = (texts: readonly string[]): string => {
  const shown = texts.slice(0, mostNames).map((text) => `“${text}”`)
  const rest = texts.length - shown.length
  const parts = rest > 0 ? [...shown, `${rest} more`] : shown
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

/** Builds the sentences that explain why a task cannot be moved to done yet, and what people can do about that. */
export function missingWords(number: number | null, missing: readonly MissingLabel[]): string {
  const names = [...new Set(missing.map(({ name }) => name))]
  const labels = [...new Set(missing.map(({ market, words }) => `“${words}” (${market})`))]
  const [need, carry, them] = names.length === 1 ? ['needs', 'does', 'it'] : ['need', 'do', 'them']
  const open = missing.some(({ because }) => because === 'not_asked') ? ' say what the file shows,' : ''
  return `The task ${number ?? ''} cannot be done yet: ${quoted(names)} ${need} the label ${labels.join(' and ')}, and ${carry} not carry it. In “Marks and label” of the creative${open} confirm a label that stands on the file, or, where “Render ad” made the file, render ${them} again with “Market” led to it. An admin can let ${them} pass with a reason.`
}
