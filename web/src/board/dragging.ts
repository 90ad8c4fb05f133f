// In charge of storing whether a card is being dragged, because the board's keyboard shortcuts then do nothing.

let dragging = false

export const isDragging = (): boolean => dragging
export function setDragging(value: boolean): void {
  dragging = value
}
