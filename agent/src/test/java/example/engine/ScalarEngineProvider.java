package example.engine;

import ai.djl.engine.Engine;
import ai.djl.engine.EngineProvider;

/** Offers the {@link ScalarEngine} to DJL; last in rank, so that a real engine goes first. */
public final class ScalarEngineProvider implements EngineProvider {
  @Override
  public String getEngineName() {
    return ScalarEngine.NAME;
  }

  @Override
  public int getEngineRank() {
    return 99;
  }

  @Override
  public Engine getEngine() {
    return ScalarEngine.INSTANCE;
  }
}
