// In charge of the words that task names consist of. Their frequencies determine which search terms are common or rare.

// No common word has a `q`, so every term with a `q` is as rare as `quartz`, the only word that has one.
const common = `
  testimonial hook serum video summer creator retargeting launch banner story carousel offer discount bundle unboxing
  founder demo morning routine before after comparison myth skin sleep energy travel coffee fitness budget family
  winter spring holiday sale limited edition voiceover podcast street interview reaction split screen problem solution
  objection review press lifestyle studio outdoor kitchen office gamer student parent runner vertical portrait teaser
  loop cutdown remake refresh hero pack shot texture ingredient benefit price anchor urgency scarcity curiosity gap
  humour nostalgia trend meme greenscreen subtitle caption thumbnail opening ending logo endcard playable static motion
  french german spanish polish english local adaptation iteration concept angle persona awareness evergreen bestseller
  subscription trial gift starter refill travel-size vegan organic sensitive overnight instant premium everyday compact
`

export const commonWords = common.trim().split(/\s+/)

/** Each of these words is in one of `oneIn` names. */
export const rareWords = [
  { word: 'quartz', oneIn: 20_000 },
  { word: 'kiosk', oneIn: 1_000 },
] as const

/** Search terms by length and by how many names contain them; no name contains `ж` or `zyx`. */
export const searchTerms = [
  { term: 't', length: 1, means: '1 character, nearly all' },
  { term: 'q', length: 1, means: '1 character, rare' },
  { term: 'ж', length: 1, means: '1 character, absent' },
  { term: 'te', length: 2, means: '2 characters, common' },
  { term: 'qu', length: 2, means: '2 characters, rare' },
  { term: 'жж', length: 2, means: '2 characters, absent' },
  { term: 'tes', length: 3, means: '3 characters, common' },
  { term: 'qua', length: 3, means: '3 characters, rare' },
  { term: 'zyx', length: 3, means: '3 characters, absent' },
  { term: 'testimonial', length: 11, means: 'long, common' },
  { term: 'kiosk', length: 5, means: 'long, 1 in 1,000' },
  { term: 'quartz', length: 6, means: 'long, 1 in 20,000' },
  { term: 'zyxwvutsrponm', length: 13, means: 'long, absent' },
] as const
