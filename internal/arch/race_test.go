//go:build race

package arch

func init() { raceDetector = true }
