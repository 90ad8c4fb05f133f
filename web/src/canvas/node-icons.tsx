// In charge of the icons that only pages with graphs and runs need. They are kept apart from the other icons, so that the board
// loads without them.
import type { NodeGroup } from '@atelier/contract/graph/node-groups.ts'
import { Outline, pathOf } from '../ui/icons.tsx'

const paths = {
  input: 'M4 12h10m0 0-4-4m4 4-4 4M14 5h6v14h-6',
  text: 'M5 6h14M5 6v2M19 6v2M12 6v12M9 18h6',
  data: 'M4 6h16v12H4zM4 11h16M10 6v12',
  generate: 'M12 4l1.8 5.2L19 11l-5.2 1.8L12 18l-1.8-5.2L5 11l5.2-1.8zM19 16.5v3M17.5 18h3',
  image: pathOf('image'),
  control: 'M5 5v5a4 4 0 0 0 4 4h6M15 10l4 4-4 4M5 14v5',
  gate: 'M6 20V9a6 6 0 0 1 12 0v11M3 20h18M12 13v3',
  other: 'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16Z',
  roll: 'M7 4h10a3 3 0 0 1 3 3v10a3 3 0 0 1-3 3H7a3 3 0 0 1-3-3V7a3 3 0 0 1 3-3ZM8.2 8.8a.6.6 0 1 0 1.2 0 .6.6 0 1 0-1.2 0M14.6 8.8a.6.6 0 1 0 1.2 0 .6.6 0 1 0-1.2 0M11.4 12a.6.6 0 1 0 1.2 0 .6.6 0 1 0-1.2 0M8.2 15.2a.6.6 0 1 0 1.2 0 .6.6 0 1 0-1.2 0M14.6 15.2a.6.6 0 1 0 1.2 0 .6.6 0 1 0-1.2 0',
  undo: 'M9 7 4.5 11.5 9 16M5 11.5h9a5 5 0 0 1 0 10h-1',
  redo: 'm15 7 4.5 4.5L15 16M19 11.5h-9a5 5 0 0 0 0 10h1',
  arrange: 'M4 5h5v4H4zM4 15h5v4H4zM15 10h5v4h-5zM9 7h3v5h3M9 17h3v-5',
  history: 'M4.5 12a7.5 7.5 0 1 0 2.3-5.4L4.5 9M4.5 4.5V9H9M12 8v4.5l3 1.5',
  fork: 'M7 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM17 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM12 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM7 8v1a3 3 0 0 0 3 3h4a3 3 0 0 0 3-3V8M12 12v4',
  stop: 'M7 7h10v10H7z',
  cache:
    'M5 7c0-1.7 3.1-3 7-3s7 1.3 7 3-3.1 3-7 3-7-1.3-7-3ZM5 7v10c0 1.7 3.1 3 7 3s7-1.3 7-3V7M5 12c0 1.7 3.1 3 7 3s7-1.3 7-3',
  skip: 'M5 6l7 6-7 6zM13 6l6 6-6 6z',
  pause: 'M8 6v12M16 6v12',
  compare: 'M4 5h7v14H4zM14 5h6M14 9h6M14 15h6M14 19h6',
  promote: 'M12 19V6m0 0-5 5m5-5 5 5M5 3h14',
  hand: 'M12 13v8M8 21h8M6 13h12l1-9H5z',
  minus: 'M5 12h14',
  fit: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  note: 'M5 4h14v10l-5 6H5zM14 20v-6h5',
  frame: 'M8 3v18M16 3v18M3 8h18M3 16h18',
  list: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01',
} as const

export type NodeIconName = keyof typeof paths | NodeGroup

export const NodeIcon = ({ name, size = 16 }: { name: NodeIconName; size?: number }) => (
  <Outline path={paths[name]} size={size} />
)
