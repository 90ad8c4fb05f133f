// In charge of finding the labels that `layout.render` may have to draw, by the market of an ad. Pure.
import { defaultLabelRules, type LabelRule, labelWords, rulesOf } from '@atelier/contract/label-rules.ts'
import { canonicalJson, sha256Hex } from '../../../platform/canonical-json.ts'
import type { Label } from './render.ts'

/**
 * Raise this number after a change that makes rendered ads look different, and after a change of the default rules; otherwise the
 * cache returns old pictures.
 */
const implementation = '4'

export const labelledImplementation = (rules: readonly LabelRule[]): string =>
  rules === defaultLabelRules ? implementation : `${implementation}-${sha256Hex(canonicalJson(rules)).slice(0, 16)}`

/**
 * The labels that the market may demand. A label for a synthetic person is included only if `performer` says that the ad shows such
 * a person, and is then always drawn. Any other label is drawn only if the metadata of a picture says that a model made it.
 */
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
