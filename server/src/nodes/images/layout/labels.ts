// In charge of which labels `layout.render` may draw, by the market of an ad. Pure.
import { defaultLabelRules, type LabelRule, labelWords, rulesOf } from '@atelier/contract/label-rules.ts'
import { canonicalJson, sha256Hex } from '../../../platform/canonical-json.ts'
import type { Label } from './render.ts'

/** Raise it when layouts come out otherwise, or the default rules change: the same market then gives another label. */
const implementation = '2'

export const labelledImplementation = (rules: readonly LabelRule[]): string =>
  rules === defaultLabelRules ? implementation : `${implementation}-${sha256Hex(canonicalJson(rules)).slice(0, 16)}`

/** What shows a person is said only where somebody says that it does; the rest where a picture says that a model made it. */
export function labelsFor(
  rules: readonly LabelRule[],
  { market, language }: { market?: string; language?: string },
  performer: boolean,
): Label[] {
  return rulesOf(rules, market ?? null).flatMap((rule): Label[] => {
    const isOfPerson = rule.subject === 'synthetic_performer'
    if (isOfPerson && !performer) return []
    return [{ rule: rule.id, words: labelWords(rule, language ?? null), always: isOfPerson }]
  })
}
