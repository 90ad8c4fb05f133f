// In charge of the icons: outlines on a grid of 24 units, in the colour of the text around them, and hidden from screen readers.

const paths = {
  board: 'M4 5h4v14H4zM10 5h4v9h-4zM16 5h4v6h-4z',
  graph:
    'M6 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM18 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM6 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM8 6h3a3 3 0 0 1 3 3v1.5a1.5 1.5 0 0 0 2 1.5M8 18h3a3 3 0 0 0 3-3v-1',
  run: 'M7 5v14l11-7z',
  lookup: 'M4 6h11M4 12h6M4 18h5M16.5 18a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM19 17.5 21.5 20',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 20a6.5 6.5 0 0 1 13 0M16 4.3a3.5 3.5 0 0 1 0 6.5M18.5 14.5a6.5 6.5 0 0 1 3 5.5',
  money: 'M3 6h18v12H3zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6M6 9v0M18 15v0',
  product: 'M12 3 4 7v10l8 4 8-4V7zM4 7l8 4 8-4M12 11v10',
  key: 'M15 9a1 1 0 1 0 0-.01M13 14l-1.5 1.5H9.5v2h-2v2H4v-3l6.3-6.3a5 5 0 1 1 2.7 3.8Z',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.5 15.5 20 20',
  filter: 'M4 6h16M7 12h10M10 18h4',
  sort: 'M7 4v15m0 0-3-3m3 3 3-3M14 6h6M14 11h4.5M14 16h3',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  info: 'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16ZM12 11v5M12 8h.01',
  look: 'M8 4H4v4M16 4h4v4M8 20H4v-4M16 20h4v-4',
  more: 'M5 12a.8.8 0 1 0 1.6 0 .8.8 0 1 0-1.6 0M11.2 12a.8.8 0 1 0 1.6 0 .8.8 0 1 0-1.6 0M17.4 12a.8.8 0 1 0 1.6 0 .8.8 0 1 0-1.6 0',
  close: 'M6 6l12 12M18 6 6 18',
  trash: 'M5 7h14M10 7V4.5h4V7M7 7l.8 12h8.4L17 7M10.5 11v5M13.5 11v5',
  restore: 'M5 5v5h5M5.5 10A7 7 0 1 1 5 13.5',
  move: 'M5 12h13m0 0-5-5m5 5-5 5',
  check: 'M5 12.5 10 17l9-10',
  clock: 'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16ZM12 8v4.5l3 1.5',
  comment: 'M4 5h16v11h-8l-4 3.5V16H4z',
  image: 'M4 5h16v14H4zM4 16l4.5-4.5 4 4L15 13l5 4.5M15.5 9h.01',
  film: 'M4 5h16v14H4zM8 5v14M16 5v14M4 9.7h4M4 14.3h4M16 9.7h4M16 14.3h4',
  sound: 'M9 17.5V6.5l10-2v11M9 17.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0ZM19 15.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0Z',
  file: 'M6 3.5h8l4 4v13H6zM14 3.5v4h4',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M18.4 5.6 17 7M7 17l-1.4 1.4',
  moon: 'M20 14.5A8 8 0 0 1 9.5 4a8 8 0 1 0 10.5 10.5Z',
  auto: 'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16ZM12 4v16M15 5v14M18 7v10',
  bell: 'M6 17h12l-1.5-2.5V10a4.5 4.5 0 0 0-9 0v4.5zM10 20h4',
  help: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5h.01',
  menu: 'M4 6h16M4 12h16M4 18h16',
  chevron: 'M7 10l5 5 5-5',
  left: 'M14 6l-6 6 6 6',
  right: 'M10 6l6 6-6 6',
  link: 'M10 14a4 4 0 0 0 6 .4l2.6-2.6a4 4 0 0 0-5.6-5.6L11.5 7.7M14 10a4 4 0 0 0-6-.4L5.4 12.2A4 4 0 0 0 11 17.8l1.5-1.5',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  upload: 'M12 16V5m0 0L8 9m4-4 4 4M5 19h14',
  download: 'M12 5v11m0 0-4-4m4 4 4-4M5 19h14',
  bookmark: 'M7 4h10v16l-5-4-5 4z',
  bolt: 'M13 3 5 14h6l-1 7 8-11h-6z',
  flag: 'M6 21V4h11l-2 4 2 4H6',
  edit: 'M5 19h3.5L19 8.5 15.5 5 5 15.5zM13.5 7l3.5 3.5',
  out: 'M10 5H5v14h5M14 8l4 4-4 4M18 12H9',
  warning: 'M12 4 3 19h18zM12 10v4M12 16.5h.01',
  offline: 'M4 4l16 16M8.5 15.5a5 5 0 0 1 5.5-1M5 12a10 10 0 0 1 4-2.5M12.5 9a10 10 0 0 1 6.5 3M12 19h.01',
} as const

export type IconName = keyof typeof paths

export const pathOf = (name: IconName): string => paths[name]

export const Icon = ({ name, size = 16 }: { name: IconName; size?: number }) => (
  <Outline path={paths[name]} size={size} />
)

export function Outline({ path, size }: { path: string; size: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  )
}
