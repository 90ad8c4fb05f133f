// In charge of adapting the demo's tasks to a deployment's vocabularies: values that a vocabulary does not have are removed. Pure.
import type { TaskPatch } from '@atelier/contract/tasks.ts'
import { type Vocabularies, type VocabularyName, valuesOf } from '@atelier/contract/vocabulary.ts'

/** The vocabulary from which each of these members of a task or variant takes its value. */
const vocabularyOf: Partial<Record<string, VocabularyName>> = {
  task_type: 'TaskType',
  work_stream: 'WorkStream',
  media_type: 'MediaType',
  source: 'Source',
  resolution: 'Resolution',
  geo: 'Geo',
  language: 'Language',
  primary_anchor: 'PrimaryAnchor',
  awareness_stage: 'AwarenessStage',
  messaging_angle: 'MessagingAngle',
  hook_trigger: 'HookTrigger',
  hook_type: 'HookType',
  ad_format: 'AdFormat',
  traffic_flow: 'TrafficFlow',
  varied_elements: 'VariedElement',
} satisfies Partial<Record<keyof TaskPatch, VocabularyName>>

/**
 * Returns `body` without the values that the vocabularies do not have. A task needs a source; so an unknown source is replaced by
 * the first source in the vocabulary.
 */
export function fitting<Body extends TaskPatch>(body: Body, vocabulary: Vocabularies): Body {
  const allowed = valuesOf(vocabulary)
  const members = <Part extends object>(part: Part): Part => {
    const fitted = Object.entries(part).map(([member, value]) => [member, fittingValue(member, value)])
    return Object.fromEntries(fitted) as Part // the cast is safe: only members that may be null are set to null
  }
  const fittingValue = (member: string, value: unknown): unknown => {
    const name = vocabularyOf[member]
    if (name === undefined || value === null) return value
    const has = (one: unknown) => allowed[name].some((value) => value === one)
    if (Array.isArray(value)) return value.filter(has)
    if (has(value)) return value
    return name === 'Source' ? allowed.Source[0] : null
  }
  const fitted = members(body)
  return body.variants ? { ...fitted, variants: body.variants.map(members) } : fitted
}
