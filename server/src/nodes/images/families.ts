// In charge of the fonts that come with the product, all under the SIL Open Font License, and of the paths of their files.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const { resolve } = createRequire(import.meta.url)

/** Font family → its file for text and its file for headings, as paths below `@expo-google-fonts/`. */
const files = {
  Inter: ['inter/500Medium/Inter_500Medium.ttf', 'inter/800ExtraBold/Inter_800ExtraBold.ttf'],
  'Bricolage Grotesque': [
    'bricolage-grotesque/500Medium/BricolageGrotesque_500Medium.ttf',
    'bricolage-grotesque/800ExtraBold/BricolageGrotesque_800ExtraBold.ttf',
  ],
  'Playfair Display': [
    'playfair-display/500Medium/PlayfairDisplay_500Medium.ttf',
    'playfair-display/800ExtraBold/PlayfairDisplay_800ExtraBold.ttf',
  ],
} as const

export type Family = keyof typeof files
export const families: readonly Family[] = ['Inter', 'Bricolage Grotesque', 'Playfair Display']

/** The full paths of a family's two font files: for text, then for headings. */
export function fontPaths(family: Family): readonly [string, string] {
  const pathOf = (file: string): string => {
    const [name = '', ...rest] = file.split('/')
    return join(dirname(resolve(`@expo-google-fonts/${name}/package.json`)), ...rest)
  }
  const [text, heading] = files[family]
  return [pathOf(text), pathOf(heading)]
}
