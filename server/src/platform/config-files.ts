// In charge of settings that name a JSON file: the file is read, or an error lists everything that is wrong with it.
import { readFileSync } from 'node:fs'
import { type CatalogueModel, parseCatalogue } from '@atelier/contract/graph/model-catalogue.ts'
import { defaultLabelRules, type LabelRule, parseLabelRules } from '@atelier/contract/label-rules.ts'
import { defaultVocabulary, parseVocabulary, type Vocabularies } from '@atelier/contract/vocabulary.ts'

const fail = (why: string): never => {
  throw new Error(why)
}

function jsonFile(path: string | URL): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    return fail(`names a file that cannot be read as JSON: ${error instanceof Error ? error.message : error}`)
  }
}

/** The vocabularies in the file at a path; the default ones if the path is empty. */
export function vocabulary(path: string): Vocabularies {
  if (path === '') return defaultVocabulary
  const parsed = parseVocabulary(jsonFile(path))
  return 'errors' in parsed ? fail(parsed.errors.join('; ')) : parsed.vocabulary
}

/** The label rules in the file at a path; the default ones if the path is empty. */
export function labelRules(path: string): readonly LabelRule[] {
  if (path === '') return defaultLabelRules
  const parsed = parseLabelRules(jsonFile(path))
  return 'errors' in parsed ? fail(parsed.errors.join('; ')) : parsed.rules
}

/** `isOwn`: the operator wrote the list, so the addresses in it are trusted. */
export type ModelList = { list: readonly CatalogueModel[]; isOwn: boolean }

/** The models in the file at a path; the list that ships with the product if the path is empty. */
export function models(path: string): ModelList {
  const parsed = parseCatalogue(jsonFile(path === '' ? new URL('./model-catalogue.json', import.meta.url) : path))
  return 'errors' in parsed ? fail(parsed.errors.join('; ')) : { list: parsed.models, isOwn: path !== '' }
}
