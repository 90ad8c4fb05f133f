// In charge of limiting the demo to the vocabularies of a deployment: values that a vocabulary does not have are left empty. Pure.
import type { TaskPatch } from '@atelier/contract/tasks.ts'
import { type Vocabularies, type VocabularyName, valuesOf } from '@atelier/contract/vocabulary.ts'

/** The vocabulary that a member of a task or variant takes its value from. */
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
 * The patch without values that the vocabulary does not have. A task needs a source, so an unknown source becomes the first one.
 */
export function fitting<Body extends TaskPatch>(body: Body, vocabulary: Vocabularies): Body {
  const allowed = valuesOf(vocabulary)
  const members = <Part extends object>(part: Part): Part => {
    const fitted = Object.entries(part).map(([member, value]) => [member, fittingValue(member, value)])
    return Object.fromEntries(fitted) as Part // only members that may be null became null
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
