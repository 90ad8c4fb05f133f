// In charge of settings that name a JSON file: reading it, or throwing everything that is wrong with it.
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

/** The vocabularies of the file at a path; the defaults where it is blank. */
export function vocabulary(path: string): Vocabularies {
  if (path === '') return defaultVocabulary
  const parsed = parseVocabulary(jsonFile(path))
  return 'errors' in parsed ? fail(parsed.errors.join('; ')) : parsed.vocabulary
}

/** The same for the rules of labels. */
export function labelRules(path: string): readonly LabelRule[] {
  if (path === '') return defaultLabelRules
  const parsed = parseLabelRules(jsonFile(path))
  return 'errors' in parsed ? fail(parsed.errors.join('; ')) : parsed.rules
}

/** `isOwn`: written by the operator, whose own addresses are trusted. */
export type ModelList = { list: readonly CatalogueModel[]; isOwn: boolean }

/** The same for the list of models; the one that comes with the product where the path is blank. */
export function models(path: string): ModelList {
  const parsed = parseCatalogue(jsonFile(path === '' ? new URL('./model-catalogue.json', import.meta.url) : path))
  return 'errors' in parsed ? fail(parsed.errors.join('; ')) : { list: parsed.models, isOwn: path !== '' }
}
