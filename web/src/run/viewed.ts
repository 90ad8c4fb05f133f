// In charge of converting files of a run to entries of the viewer, and of deciding which pictures the viewer steps through.
import { type FileValue, filesIn } from '@atelier/contract/graph/definition.ts'
import { createContext } from 'react'
import { creditWords } from '../canvas/words.ts'
import type { Viewed } from '../ui/viewer-store.ts'
import type { ItemState } from './queries.ts'
import type { Items } from './use-items.ts'

/** If the user opens one of these pictures, the arrow keys of the viewer step through all of them. */
export const ViewedContext = createContext<readonly Viewed[]>([])

export const viewedFile = (file: FileValue, facts: Viewed['facts'] = []): Viewed => ({
  digest: file.digest,
  name: file.name ?? 'Picture',
  mediaType: file.media_type,
  size: file.size,
  facts,
})

export const canBeViewed = ({ media_type }: FileValue): boolean => /^(?:image|video)\//.test(media_type)

/** Returns the pictures and films of all items of a node, in the order of the items. */
export const viewedItems = (node: string, items: Items): Viewed[] =>
  [...items.keys()]
    .toSorted((one, other) => one - other)
    .flatMap((index) => {
      const item = items.get(index)
      return item ? viewedItem(node, index, item) : []
    })

const viewedItem = (node: string, index: number, item: ItemState): Viewed[] =>
  filesIn(item.outputs)
    .filter(canBeViewed)
    .map((file) =>
      viewedFile(file, [
        ['Made by', `${node}, item ${index + 1}`],
        ['Cost', item.status === 'cached' ? 'nothing paid' : creditWords(item.credits_consumed)],
      ]),
    )
