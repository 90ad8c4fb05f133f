// In charge of the example records for marks (how a creative was made) and content credentials that the documentation shows.
import type { Static } from 'typebox'
import { defaultLabelRules, labelWords } from '../label-rules.ts'
import type { CreativeMarks, FileCredentials, LabelDemand } from '../marks.ts'
import { examples } from './examples.ts'

const sourceType = 'http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia'
const notSaid = { value: null, by: null, at: null }

const demands = defaultLabelRules.slice(0, 1).map((rule): Static<typeof LabelDemand> => {
  const { id, market, since, source } = rule
  const words = labelWords(rule, examples.task.language)
  return { rule: id, market, since, words, source, because: 'not_asked', met: 'drawn', waiver: null }
})

const marks: CreativeMarks = {
  creative_id: examples.creative.id,
  name: examples.creative.name,
  file: examples.file.digest,
  ai: 'assisted',
  source_type: sourceType,
  synthetic_performer: notSaid,
  deepfake: notSaid,
  label: { drawn: ['eu'], confirmed: notSaid },
  demands,
}

const credentials: FileCredentials = {
  digest: examples.file.digest,
  media_type: 'image/jpeg',
  ai: 'assisted',
  source_type: sourceType,
  state: 'trusted',
  certificate: 'local',
  signed_by: 'Atelier signing',
  issuer: 'Atelier',
  signed_at: null,
  generator: 'Atelier 0.2.0',
  actions: [{ action: 'c2pa.created', source_type: sourceType, software: null }],
  models: ['painter'],
  ingredients: [
    {
      title: 'photo.png',
      media_type: 'image/png',
      relation: 'componentOf',
      has_credentials: true,
      signed_by: 'Nord studio',
      source_type: 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia',
    },
  ],
  manifests: 2,
  problems: [],
}

export const markExamples = { marks, credentials }
