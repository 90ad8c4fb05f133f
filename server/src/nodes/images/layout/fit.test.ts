// Facts about fitting text: where lines break.
import { expect, test } from 'vitest'
import { families } from '../families.ts'
import { loadFamily } from '../fonts.ts'
import { fitText } from './fit.ts'

const room = { width: 300, height: 400, largest: 60, smallest: 12, lines: 2 }

test.for(families)(
  'a no-break space, wide or narrow, holds words together, and %s has a shape for it',
  async (family) => {
    const [, font] = await loadFamily(family)
    const style = { font, leading: 1.1, tracking: 0, color: '#000000' }
    const linesOf = (text: string) => fitText(text, room, style)?.lines ?? []
    expect(linesOf('Awake at 3 a.m. again?').some((line) => line.endsWith(' 3'))).toBe(true)
    for (const space of ['\u00a0', '\u202f']) {
      expect(linesOf(`Awake at 3${space}a.m. again?`).some((line) => line.includes('3\u00a0a.m.'))).toBe(true)
    }
    expect(font.measure('3\u00a0a').missing).toEqual([])
  },
)
