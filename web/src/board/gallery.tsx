// In charge of the board as a gallery: a virtual grid of large pictures from all columns, which reads more pages on scrolling.
import { useElementSize } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useLiveState } from '../lib/live-connection.ts'
import { Empty, Failed, Loading } from '../ui/states.tsx'
import { useBoard } from './board-context.ts'
import { cardsOf, totalOf } from './feed-edits.ts'
import { galleryQuery } from './feed-query.ts'
import './gallery.css'
import { tileGap, tilesFor } from './gallery-places.ts'
import { GalleryTile } from './gallery-tile.tsx'
import { granted, isFresh, useFocusWish } from './selection.ts'
import { useGalleryKeys } from './use-gallery-keys.ts'
import { useLiveBoard } from './use-live-board.ts'

/** How often, in milliseconds, the gallery is read again while the live connection, which reports changes by others, is down. */
const pollMs = 20_000
/** The next page is requested when fewer rows than this follow the last row that is drawn. */
const rowsAhead = 8

export function Gallery() {
  const { paramsOf, search } = useBoard()
  useLiveBoard('gallery')
  const scroller = useRef<HTMLElement>(null)
  const { ref: measured, width: room } = useElementSize()
  const feed = useInfiniteQuery({
    ...galleryQuery(paramsOf('backlog')),
    refetchInterval: useLiveState() === 'live' ? false : pollMs,
  })
  const cards = useMemo(() => cardsOf(feed.data), [feed.data])
  const tiles = tilesFor(room)
  const rows = useVirtualizer({
    count: room === 0 ? 0 : Math.ceil(cards.length / tiles.lanes),
    getScrollElement: () => scroller.current,
    estimateSize: () => tiles.height,
    gap: tileGap,
    overscan: 2,
    paddingEnd: tileGap,
  })
  useEffect(() => rows.measure(), [rows, tiles.height])
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = feed
  const inSight = rows.getVirtualItems()
  const last = inSight.at(-1)?.index ?? -1
  const isNearEnd = last >= Math.ceil(cards.length / tiles.lanes) - rowsAhead
  useEffect(() => {
    if (room > 0 && hasNextPage && !isFetchingNextPage && isNearEnd) void fetchNextPage()
  }, [room, hasNextPage, isFetchingNextPage, fetchNextPage, isNearEnd])
  const focusAt = useFocusAt(scroller, (at) => rows.scrollToIndex(Math.floor(at / tiles.lanes)))
  useGalleryKeys({ lanes: tiles.lanes, count: cards.length, focusAt })
  const wish = useFocusWish()
  useEffect(() => {
    const at = wish && isFresh(wish) ? cards.findIndex(({ id }) => id === wish.id) : -1
    if (at === -1) return
    focusAt(at)
    granted()
  }, [wish, cards, focusAt])
  const total = totalOf(feed.data)
  const isEmpty = feed.data !== undefined && cards.length === 0
  return (
    <section ref={scroller} className="gallery" aria-label="Gallery">
      {/* This element measures the width that the tiles share; measuring the section would include the section's padding. */}
      <div ref={measured} />
      <p className="visually-hidden" role="status">
        {total === null ? '' : `${total} ${total === 1 ? 'task' : 'tasks'} with pictures`}
      </p>
      {feed.isPending ? <Loading what="the gallery" /> : null}
      {feed.isError && !feed.data ? <Failed error={feed.error} retry={() => void feed.refetch()} /> : null}
      {isEmpty ? (
        <Empty icon="image" title={search.q || search.filter ? 'Nothing with a picture matches' : 'No pictures yet'}>
          Tasks stand here once a creative of theirs has its file. The columns show all tasks.
        </Empty>
      ) : null}
      {isEmpty ? null : (
        <ul aria-label="Tasks with pictures" style={{ height: rows.getTotalSize() }}>
          {inSight.flatMap(({ index, start }) =>
            cards.slice(index * tiles.lanes, (index + 1) * tiles.lanes).map((card, lane) => (
              <li
                key={card.id}
                aria-setsize={hasNextPage ? -1 : cards.length}
                aria-posinset={index * tiles.lanes + lane + 1}
                style={{
                  width: tiles.width,
                  height: tiles.height,
                  transform: `translate(${lane * (tiles.width + tileGap)}px, ${start}px)`,
                }}
              >
                <GalleryTile card={card} at={index * tiles.lanes + lane} />
              </li>
            )),
          )}
        </ul>
      )}
    </section>
  )
}

/** Scrolls to a tile, and focuses it as soon as it is drawn. */
function useFocusAt(scroller: React.RefObject<HTMLElement | null>, scrollTo: (at: number) => void) {
  const latest = useRef(scrollTo)
  useEffect(() => {
    latest.current = scrollTo
  })
  const frame = useRef(0)
  useEffect(() => () => cancelAnimationFrame(frame.current), [])
  return useCallback(
    (at: number) => {
      latest.current(at)
      cancelAnimationFrame(frame.current)
      const attempt = (left: number) => {
        const tile = scroller.current?.querySelector(`[data-at="${at}"]`)
        const target =
          tile?.querySelector<HTMLElement>('.gallery-picture') ?? tile?.querySelector<HTMLElement>('.card-name')
        if (target) target.focus({ preventScroll: true })
        else if (left > 0) frame.current = requestAnimationFrame(() => attempt(left - 1))
      }
      attempt(20)
    },
    [scroller],
  )
}
