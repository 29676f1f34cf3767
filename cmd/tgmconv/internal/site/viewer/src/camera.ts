// The view of the map: flat, with degrees as lengths, or as a globe from far away. Both have the same middle and the same scale there, so that changing between them keeps the place.

const degree = Math.PI / 180;

export class Camera {
  lon = 0;
  lat = 0;
  /** Pixels for a degree of latitude in the middle of the map. */
  scale = 3;
  globe = false;
  /** Length of a degree of longitude on the flat map, in degrees of latitude. */
  stretch = 1;
  width = 1;
  height = 1;

  /** The pixel of a place, relative to the middle, x to the right and y up; undefined behind the globe. */
  project(lon: number, lat: number): [x: number, y: number] | undefined { return this.put(wrap(lon - this.lon), lat); }

  /** The pixel of a place by its degrees east of the middle, which may be more than half a turn on the flat map. */
  put(east: number, lat: number): [x: number, y: number] | undefined {
    if (!this.globe) return [east * this.stretch * this.scale, (lat - this.lat) * this.scale];
    const r = this.scale / degree;
    const [s, c] = [Math.sin(lat * degree), Math.cos(lat * degree)];
    const [s0, c0] = [Math.sin(this.lat * degree), Math.cos(this.lat * degree)];
    const cl = Math.cos(east * degree);
    if (s0 * s + c0 * c * cl < 0) return undefined;
    return [r * c * Math.sin(east * degree), r * (c0 * s - s0 * c * cl)];
  }

  /** The place of a pixel, undefined outside the earth. */
  unproject(x: number, y: number): [lon: number, lat: number] | undefined {
    if (!this.globe) {
      const lat = this.lat + y / this.scale;
      return Math.abs(lat) > 90 ? undefined : [this.lon + x / this.scale / this.stretch, lat];
    }
    const r = this.scale / degree;
    const rho = Math.hypot(x, y) / r;
    if (rho > 1) return undefined;
    const c = Math.asin(rho);
    const [s0, c0] = [Math.sin(this.lat * degree), Math.cos(this.lat * degree)];
    if (rho < 1e-12) return [this.lon, this.lat];
    const lat = Math.asin(Math.cos(c) * s0 + (y / r) * c0) / degree;
    const lon = this.lon + Math.atan2(x / r, Math.cos(c) * c0 - (y / r) * s0) / degree;
    return [lon, lat];
  }

  /** Changes the scale around a pixel, which stays where it is. */
  zoom(factor: number, x = 0, y = 0): void {
    const before = this.unproject(x, y);
    this.scale = Math.min(4000, Math.max(this.least(), this.scale * factor));
    const after = this.unproject(x, y);
    if (before && after) {
      this.lon += before[0] - after[0];
      this.lat += before[1] - after[1];
    }
    this.clamp();
  }

  /** The least scale: the world fills about half of the window. */
  private least(): number { return this.globe ? Math.min(this.width, this.height) / 300 : Math.min(this.width / 540, this.height / 270); }

  /** Moves the map by pixels. */
  pan(dx: number, dy: number): void {
    const across = this.globe ? Math.max(0.2, Math.cos(this.lat * degree)) : this.stretch;
    this.lon -= dx / this.scale / across;
    this.lat += dy / this.scale;
    this.clamp();
  }

  clamp(): void {
    this.lat = Math.min(90, Math.max(-90, this.lat));
    this.lon = wrap(this.lon);
  }

  /** Shows an area. */
  fit(west: number, south: number, east: number, north: number): void {
    const [n, s] = [Math.min(90, north), Math.max(-90, south)];
    const wide = Math.min(360, east - west);
    this.stretch = wide > 180 ? 1 : Math.max(0.2, Math.cos(((n + s) / 2) * degree));
    this.lat = (n + s) / 2;
    this.lon = wide >= 350 ? 0 : wrap((west + east) / 2);
    const pad = 0.96;
    if (this.globe && wide > 100) {
      this.scale = pad * Math.min(this.width, this.height) / 2 * degree;
      if (wide >= 350 && n - s > 150) this.lat = 20;
      return;
    }
    this.scale = pad * Math.min(this.width / (wide * this.stretch), this.height / Math.max(n - s, 1e-3));
  }
}

/** Brings a longitude into -180 to 180 degrees. */
export function wrap(lon: number): number { return ((lon + 180) % 360 + 360) % 360 - 180; }
