/** What of uPlot is used; its options are long and are taken as they are. */
export type Columns = ArrayLike<number | null>[];
export default class uPlot {
  constructor(options: object, data: Columns, target: HTMLElement);
  readonly bbox: { left: number; top: number; width: number; height: number };
  readonly over: HTMLElement;
  readonly root: HTMLElement;
  readonly ctx: CanvasRenderingContext2D;
  readonly cursor: { left?: number; top?: number; idx?: number | null };
  readonly data: Columns;
  readonly scales: Record<string, { min?: number; max?: number }>;
  readonly width: number;
  readonly height: number;
  setData(data: Columns, resetScales?: boolean): void;
  setScale(key: string, limits: { min: number; max: number }): void;
  setSize(size: { width: number; height: number }): void;
  setSelect(select: object, fireHook?: boolean): void;
  redraw(rebuildPaths?: boolean, recalcAxes?: boolean): void;
  destroy(): void;
  batch(act: () => void): void;
  posToIdx(position: number, canvasPixels?: boolean): number;
  posToVal(position: number, scale: string, canvasPixels?: boolean): number;
  valToPos(value: number, scale: string, canvasPixels?: boolean): number;
  static join(tables: Columns[]): Columns;
}
