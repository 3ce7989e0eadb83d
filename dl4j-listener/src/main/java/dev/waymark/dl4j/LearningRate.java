package dev.waymark.dl4j;

import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.conf.layers.BaseLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.learning.config.IUpdater;

/**
 * The learning rate that a model works with now: that of its first layer that has one, by its
 * schedule. To be called on the thread that trains.
 */
final class LearningRate {
  private LearningRate() {}

  /**
   * The rate at this iteration and epoch of the model; NaN if no layer has one, or if that of the
   * first which has one can't be known.
   */
  static double of(Model model) {
    for (org.deeplearning4j.nn.api.Layer layer : layers(model)) {
      IUpdater updater = updater(layer.conf().getLayer());
      if (UpdaterRate.mayHaveOne(updater)) {
        return ModelFigures.counters(model).learningRate(updater);
      }
    }
    return Double.NaN;
  }

  private static org.deeplearning4j.nn.api.Layer[] layers(Model model) {
    if (model instanceof MultiLayerNetwork) {
      return ((MultiLayerNetwork) model).getLayers();
    }
    if (model instanceof ComputationGraph) {
      return ((ComputationGraph) model).getLayers();
    }
    // In pretraining each layer is trained by itself.
    return model instanceof org.deeplearning4j.nn.api.Layer
        ? new org.deeplearning4j.nn.api.Layer[] {(org.deeplearning4j.nn.api.Layer) model}
        : new org.deeplearning4j.nn.api.Layer[0];
  }

  /** Null if the layer has no parameters to update. */
  private static IUpdater updater(Layer configuration) {
    return configuration instanceof BaseLayer ? ((BaseLayer) configuration).getIUpdater() : null;
  }
}
